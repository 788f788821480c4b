"""The same numbers as scikit-learn and ir_measures, and a clear word where one of them is missing."""

import builtins
import importlib

import pytest

from engine.errors import MissingExtraError
from engine.evaluation.experiments.libraries import libraries
from engine.evaluation.labelled import Labelled
from engine.settings import Settings


def test_they_agree_on_the_sample_notes(sample: Labelled) -> None:
    rows = libraries(sample, Settings(max_words=30, dimensions=16)).rows
    assert len(rows) == 9
    assert all(row.values > 0 for row in rows)
    assert max(row.difference for row in rows) < 1e-9


def test_a_missing_library_is_named(sample: Labelled, monkeypatch: pytest.MonkeyPatch) -> None:
    imported = importlib.import_module

    def without(name: str, *rest: object) -> object:
        if name == "ir_measures":
            raise builtins.ImportError(name)
        return imported(name, *rest)

    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(MissingExtraError, match="needs ir_measures") as caught:
        libraries(sample)
    assert "-m pip install ir_measures" in caught.value.hint
