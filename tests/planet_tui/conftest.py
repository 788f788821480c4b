"""The server that plays an endpoint, for the app and the command line too."""

from tests.engine.conftest import endpoint

__all__ = ["endpoint"]
