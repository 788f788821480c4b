"""Batches of files -> what comes of them, from interpreters that work beside this one.

The interpreters are started as plain programs that talk over their standard input and output: `multiprocessing` would
need the caller's main module to be guarded, and a terminal on standard error, which an app that draws has taken away.
An interpreter that dies costs nothing but time: its batch is done here.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

POLL = 0.1
"""Seconds between two looks at what may end the waiting."""

_PROGRAM = "from engine.storage.processes import serve; serve()"
Item = TypeVar("Item")
Result = TypeVar("Result")


class Processes(Generic[Item, Result]):
    """Interpreters that all do the same; a context manager whose end is theirs."""

    def __init__(self, number: int, make: Callable[..., Callable[[Item], Result]], *arguments: Any) -> None:  # noqa: ANN401
        """Start them.

        Args:
            number: how many.
            make: a function at the top of a module: called once in each with `arguments`, returns what does the work.
            arguments: anything that can be pickled.
        """
        self._idle: SimpleQueue[subprocess.Popen[bytes] | None] = SimpleQueue()
        self._started = [_start((make, arguments)) for _ in range(number)]
        for process in self._started:
            self._idle.put(process)
        self._threads = ThreadPoolExecutor(number)

    def __enter__(self) -> Processes[Item, Result]:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End them, whatever they are doing."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._started:
            process.kill()
            process.wait()
        self._threads.shutdown()
        for process in self._started:
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()

    def map(
        self, items: Sequence[Item], here: Callable[[Item], Result], look: Callable[[], None] = lambda: None
    ) -> Iterator[Result]:
        """Yield the result of each item, in order.

        Args:
            items: what is to be done.
            here: does it in this process, for those whose interpreter died.
            look: called ten times a second while others work; what it raises ends the waiting.
        """
        coming = [self._threads.submit(self._ask, item) for item in items]
        for item, future in zip(items, coming, strict=True):
            found = _await(future, look)
            yield here(item) if found is None else found

    def _ask(self, item: Item) -> Result | None:
        """Let an idle interpreter do it; `None`: it died."""
        process = self._idle.get()
        if process is None:
            self._idle.put(None)
            return None
        try:
            assert process.stdin is not None and process.stdout is not None
            _send(process.stdin, item)
            result: Result = pickle.load(process.stdout)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            self._idle.put(None)  # whoever takes it finds that nobody is there
            return None
        self._idle.put(process)
        return result


def serve() -> None:
    """Be one of the interpreters: read what to do, do it, write what came of it, until nobody asks any more."""
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is printed must not get between the replies
    gc.disable()  # reading makes no reference cycles
    with suppress(EOFError, OSError):
        make, arguments = pickle.load(requests)
        work = make(*arguments)
        while True:
            _send(replies, work(pickle.load(requests)))


def _start(task: object) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,  # ctrl+c in the terminal is for the one who started it
    )
    with suppress(OSError):
        assert process.stdin is not None
        _send(process.stdin, task)
    return process


def _send(pipe: Any, value: object) -> None:  # noqa: ANN401
    pickle.dump(value, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()


def _await(future: Future[Result | None], look: Callable[[], None]) -> Result | None:
    while not future.done():
        look()
        wait([future], POLL)
    return future.result()
