"""Whatever happens to a process while it keeps an index, the next start works and holds what a fresh build holds."""

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from engine.storage.array_file import is_sound

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
TIMES = itertools.count(10**18)
HELPER = Path(__file__).with_name("opening.py")
NOTES = {
    "mars.md": "# Mars\n\nMars has two small moons, Phobos and Deimos.\n",
    "sub/jupiter.md": "# Jupiter\n\nJupiter has dozens of moons.\n\n## Storm\n\nThe red spot is a storm on Jupiter.\n",
    "venus.md": "# Venus\n\nVenus has no moons. A year on Venus takes 224.7 days.\n",
    "saturn.md": "# Saturn\n\nSaturn has rings and moons, Titan among them.\n",
}


@pytest.fixture(scope="module")
def helper():
    environment = os.environ | {"PYTHONPATH": str(HELPER.parents[3]), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, str(HELPER)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True, env=environment) as process:
        yield process
        process.stdin.close()


@pytest.fixture
def opened(helper):
    """Return a function that opens a library in a process of its own and returns what came of it."""

    def run(**order):
        helper.stdin.write(json.dumps(order, default=str) + "\n")
        helper.stdin.flush()
        return json.loads(helper.stdout.readline())

    return run


@pytest.fixture
def places(tmp_path):
    folder = tmp_path / "notes"
    for name, text in NOTES.items():
        write(folder / name, text)
    return {"folder": folder, "cache": tmp_path / "cache"}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(10**18, next(TIMES)))


def edit(folder, n):
    """Change one note, add one and remove one, differently for each n."""
    write(folder / "mars.md", f"# Mars\n\nMars was seen {n} times. It has two moons.\n")
    write(folder / f"new{n}.md", f"Note {n} tells of Titan.\n")
    (folder / f"new{n - 1}.md").unlink(missing_ok=True)


def left_behind(cache):
    return [path.name for path in cache.rglob("*.tmp")]


def some_points(n, seed):
    """Return points among the n of a whole run: the last ones, where files are replaced, and others at random."""
    return sorted({*random.Random(seed).sample(range(1, n + 1), min(n, 6)), *range(max(1, n - 2), n + 1)})


def is_killed(found, at):
    """Return whether a run was killed, or had fewer points than the one that was counted: threads wait now and then."""
    return found == {"status": -9} or found["points"] < at


@pytest.mark.parametrize("of", ["file", "any"])
def test_a_first_build_killed_anywhere_is_made_up_for_by_the_next_start(opened, places, tmp_path, of):
    whole = opened(folder=places["folder"])
    points = opened(**places | {"cache": tmp_path / "other"}, of=of)["points"]
    for at in some_points(points, seed=1):
        cache = tmp_path / f"cache{at}"
        killed = opened(folder=places["folder"], cache=cache, of=of, at=at, signal="SIGKILL")
        assert is_killed(killed, at)
        after = opened(folder=places["folder"], cache=cache)
        assert (after["status"], after["digest"]) == (0, whole["digest"])
        assert opened(folder=places["folder"], cache=cache)["first"] == "lsa"


@pytest.mark.parametrize(("of", "apart"), [("file", False), ("any", False), ("file", True), ("any", True)])
def test_a_refresh_killed_anywhere_leaves_what_was_kept_and_takes_the_edits_the_next_time(opened, places, of, apart):
    opened(**places)
    edit(places["folder"], 0)
    points = opened(**places, of=of, apart=apart)["points"]
    for n, at in enumerate(some_points(points, seed=2), start=1):
        edit(places["folder"], n)
        assert is_killed(opened(**places, of=of, at=at, signal="SIGKILL", apart=apart), at)
        assert all(is_sound(path) for name in ("notes", "edits") for path in places["cache"].rglob(name))
        after = opened(**places, apart=apart)
        assert (after["status"], after["first"]) == (0, "lsa"), "the index that was kept is opened, not made again"
        assert after["digest"] == opened(folder=places["folder"])["digest"]


def test_two_that_build_at_once_do_each_other_no_harm(opened, places, tmp_path):
    whole = opened(folder=places["folder"])
    for at in some_points(opened(**places)["points"], seed=3):
        two_at_once(opened, {"folder": places["folder"], "cache": tmp_path / f"cache{at}"}, at, whole)


@pytest.mark.parametrize("apart", [(False, False), (True, True), (True, False), (False, True)])
def test_two_that_refresh_at_once_do_each_other_no_harm(opened, places, apart):
    """One may put everything into a new base while the other puts its edits beside the old one."""
    opened(**places)
    edit(places["folder"], 0)
    points = opened(**places, apart=apart[0])["points"]
    for n, at in enumerate(some_points(points, seed=4), start=1):
        edit(places["folder"], n)
        two_at_once(opened, places, at, opened(folder=places["folder"]), apart)


def two_at_once(opened, places, at, whole, apart=(False, False)):
    """Halt one start at a point of its work, carry out another, let the first go on."""
    order = {name: str(place) for name, place in places.items()}
    found = opened(**order, at=at, signal="SIGSTOP", apart=apart[0], meanwhile=order | {"apart": apart[1]})
    assert found["status"] == found["meanwhile"]["status"] == 0
    assert found["digest"] == found["meanwhile"]["digest"] == whole["digest"]
    assert opened(**places)["digest"] == whole["digest"]
    assert not left_behind(places["cache"])


def test_edits_beside_another_base_are_passed_over(opened, places, tmp_path):
    opened(**places)
    edit(places["folder"], 0)
    opened(**places, apart=True)
    [edits] = places["cache"].rglob("edits")
    stray = edits.read_bytes()
    edit(places["folder"], 1)
    opened(**places)  # everything becomes a new base
    assert not edits.exists()
    edits.write_bytes(stray)
    assert opened(**places)["digest"] == opened(folder=places["folder"])["digest"]


@pytest.mark.parametrize("limit", [0, 100, 2_000])
def test_a_disk_that_is_full_costs_a_notice_and_leaves_what_was_kept(opened, places, limit):
    whole = opened(folder=places["folder"])
    full = opened(**places, limit=limit)
    assert (full["status"], full["digest"]) == (0, whole["digest"])
    assert full["notices"][0].startswith("The index is not kept for the next time")
    assert not left_behind(places["cache"])
    assert opened(**places)["digest"] == whole["digest"]
    edit(places["folder"], 1)
    assert opened(**places, limit=limit)["status"] == 0
    assert opened(**places, limit=limit)["first"] == "lsa", "the index that was kept is still there"
    assert opened(**places)["digest"] == opened(folder=places["folder"])["digest"]


def test_a_cache_that_may_only_be_read_serves_and_is_left_as_it_is(opened, places):
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        home.chmod(0o755)
        for path, text in NOTES.items():
            write(home / "notes" / path, text)
        there = {"folder": home / "notes", "cache": home / "cache"}
        opened(**there)
        kept = {path: path.read_bytes() for path in there["cache"].rglob("*") if path.is_file()}
        edit(there["folder"], 1)
        for path in [there["cache"], *there["cache"].rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        nobody = {"user": 65534} if os.getuid() == 0 else {}  # everything is open to the administrator
        found = opened(**there, **nobody)
        for path in [there["cache"], *there["cache"].rglob("*")]:
            path.chmod(0o755)
        assert found["status"] == 0 and found["first"] == "lsa", found
        assert found["digest"] == opened(folder=there["folder"])["digest"]
        assert {path: path.read_bytes() for path in kept} == kept
