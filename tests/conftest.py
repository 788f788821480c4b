"""Keeps every test away from the person's own keyring."""

import os

os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
