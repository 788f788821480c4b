"""What holds for every test: no keyring but an empty one, examples that are the same on every machine, no benchmarks.

`PLANET_TUI_EXPLORE=1 pytest` draws new examples each time, to look for faults.
"""

import os

from hypothesis import settings

os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"

collect_ignore = ["benchmarks"]

# Examples are judged by what they give, not by how long a busy machine takes over them.
exploring = bool(os.environ.get("PLANET_TUI_EXPLORE"))
settings.register_profile("planet-tui", deadline=None, derandomize=not exploring)
settings.load_profile("planet-tui")
