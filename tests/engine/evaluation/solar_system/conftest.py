"""The ten articles, where they are on this machine."""

import pytest

from engine.errors import FolderError
from engine.evaluation.labelled import Labelled
from engine.evaluation.solar_system.labels import load_solar_system


@pytest.fixture(scope="session")
def articles() -> Labelled:
    try:
        return load_solar_system()
    except FolderError as error:
        pytest.skip(f"{error.message} {error.hint}")
