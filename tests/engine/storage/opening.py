"""A program that opens libraries in processes of their own, and has them killed or halted at a point of their work.

Each line of its input is an order in JSON, each line of its output what came of it. The engine is imported once and
every order is a fork, so that an order costs as little as the work in it.
"""

import hashlib
import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import engine.library
from engine.library import Library
from engine.settings import Settings
from engine.storage import layers

SETTINGS = Settings(max_words=20, language="english", dimensions=4)
FILE_CALLS = {"open", "write", "flush", "fsync", "replace", "mkdir", "unlink", "close", "mmap", "scandir", "stat"}


def digest(library: Library) -> str:
    """Return a name for everything that a library answers from, free of the order in which it was learnt."""
    columns = library.snapshot.columns
    arrays = (columns.indptr, columns.postings, columns.counts, columns.lengths, columns.digests)
    parts = [repr(list(library.chunks)), repr([*columns.terms, *columns.facts]), repr([a.tolist() for a in arrays])]
    return hashlib.sha256("".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def count_points(of: str, reached: Callable[[int], None]) -> None:
    """Call `reached` with 1, 2, … before each call to the system (`of` is "file"), or each call of anything."""
    n = 0

    def look(frame: object, event: str, called: object) -> None:
        nonlocal n
        if of == "any" or (event == "c_call" and getattr(called, "__name__", "") in FILE_CALLS):
            n += 1
            reached(n)

    sys.setprofile(look)


def work(order: dict[str, object]) -> dict[str, object]:
    """Open a library as an order says; return what it holds."""
    points = 0

    def reached(n: int) -> None:
        nonlocal points
        points = n
        if n == order.get("at"):
            os.kill(os.getpid(), getattr(signal, str(order["signal"])))

    if order.get("limit") is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(str(order["limit"])),) * 2)
    if order.get("user") is not None:
        os.setuid(int(str(order["user"])))
    if order.get("apart"):  # what changed stays beside the base, however much it is
        layers.SHARE = engine.library.DRIFT = 1e9
    cache = Path(str(order["cache"])) if "cache" in order else None
    count_points(str(order.get("of", "file")), reached)
    stages = [(library.stage, library) for library in Library.stages(Path(str(order["folder"])), SETTINGS, cache=cache)]
    sys.setprofile(None)
    library = stages[-1][1]
    assert library.lsa is not None and len(library.lsa.embeddings) == len(library.chunks)
    return {
        "digest": digest(library),
        "first": stages[0][0],
        "points": points,
        "notices": [notice.problem for notice in library.notices],
    }


def start(order: dict[str, object]) -> tuple[int, int]:
    """Fork for an order; return the process's number and where its answer can be read."""
    answer, mine = os.pipe()
    process = os.fork()
    if process:
        os.close(mine)
        return process, answer
    try:
        os.write(mine, json.dumps(work(order)).encode())
        os._exit(0)
    except BaseException as error:
        os.write(mine, json.dumps({"error": repr(error)}).encode())
        os._exit(1)


def finish(process: int, answer: int) -> dict[str, object]:
    """Wait for a process; return what it said and how it ended."""
    with open(answer, "rb") as file:
        said = file.read()
    _, status = os.waitpid(process, 0)
    return {"status": os.waitstatus_to_exitcode(status), **(json.loads(said) if said else {})}


def obey(order: dict[str, object]) -> dict[str, object]:
    """Carry out an order; one that halts itself goes on after the order `meanwhile` has been carried out."""
    process, answer = start(order)
    if "meanwhile" not in order:
        return finish(process, answer)
    halted = os.waitid(os.P_PID, process, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    meanwhile = finish(*start(order["meanwhile"]))  # type: ignore[arg-type]
    if halted is not None and halted.si_code == os.CLD_STOPPED:
        os.kill(process, signal.SIGCONT)
    return {**finish(process, answer), "meanwhile": meanwhile}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:  # imports all that a library needs, once for every fork
        (Path(name) / "a.md").write_text("One note.", encoding="utf-8")
        Library.open(name, SETTINGS, cache=Path(name))
    for line in sys.stdin:
        print(json.dumps(obey(json.loads(line))), flush=True)  # noqa: T201
