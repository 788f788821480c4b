"""Keeps every test away from the person's own keyring, and measurements away from the tests."""

import os

os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"

collect_ignore = ["benchmarks"]
