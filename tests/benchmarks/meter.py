"""One measurement in a process of its own: seconds of the clock and of the processor, peak of its memory."""

import importlib
import json
import os
import resource
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import numpy as np

from tests.benchmarks.place import Place

ROOT = Path(__file__).parents[2]
PASSES = 3
"""Times that every question is asked; its fastest counts, since the others were disturbed."""
ENOUGH = 10.0
"""Seconds of asking after which no further pass begins."""
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}


class Meter:
    """Collects figures by name; `meter.figures` is what a measurement returns."""

    def __init__(self):
        """Start with nothing."""
        self.figures = {}

    @contextmanager
    def measure(self, name):
        """Add the wall seconds, processor seconds and growth of peak memory of the block."""
        before = _resident()
        _reset_peak()
        start, cpu = time.perf_counter(), processor_seconds()
        yield
        self.figures[f"{name} s"] = time.perf_counter() - start
        self.figures[f"{name} CPU s"] = processor_seconds() - cpu
        self.figures[f"{name} MB"] = (peak() - before) / 1e6

    def latency(self, name, ask, queries):
        """Add the median and the 95th percentile, over the queries, of the milliseconds that `ask` takes."""
        for query in queries[:5]:
            ask(query)
        passes, start = [], time.perf_counter()
        while len(passes) < PASSES and time.perf_counter() - start < ENOUGH:
            passes.append([_seconds(ask, query) for query in queries])
        for clock, taken in zip(("", " CPU"), np.min(passes, axis=0).T * 1000, strict=True):
            low, high = np.percentile(taken, [50, 95])
            self.figures |= {f"{name}{clock} p50 ms": low, f"{name}{clock} p95 ms": high}


def _seconds(ask, query):
    start, cpu = time.perf_counter(), time.process_time()
    ask(query)
    return time.perf_counter() - start, time.process_time() - cpu


def processor_seconds():
    """Return the processor time of this process and of the children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _status(name):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    return 0


def _resident():
    return _status("VmRSS") if sys.platform == "linux" else 0


def peak():
    """Return the largest memory that this process has held since it was last asked to forget, in bytes."""
    return _status("VmHWM") if sys.platform == "linux" else 0


def _reset_peak():
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5")


def run(measurement, place):
    """Return the figures of `module.function` at a place, measured in a new process; `None`: missing or failed."""
    command = [sys.executable, "-m", "tests.benchmarks.meter", measurement, str(place.path)]
    environment = os.environ | ONE_THREAD | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    # Compiled once, as after an installation; not into the checkout.
    environment["PYTHONPYCACHEPREFIX"] = str(place.path.parent / "bytecode")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done, largest = Event(), [0]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        watcher = Thread(target=_watch, args=(process.pid, done, largest))
        watcher.start()
        said = process.stdout.read()
        done.set()
        watcher.join()
    if process.returncode:  # what the matter is has been printed
        return None
    figures = json.loads(said.splitlines()[-1])
    return figures and figures | ({"family MB": largest[0] / 1e6} if largest[0] else {})


def _watch(process, done, largest):
    """Keep the largest sum of the memory of a process and of those it starts."""
    while not done.wait(0.05):
        largest[0] = max(largest[0], sum(map(_memory, _family(process))))


def _family(process):
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(each for child in children for each in _family(child))]


def _memory(process):
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def main(measurement, path):
    """Carry out a measurement and print its figures; `null` when what it measures is not installed."""
    module, _, name = measurement.rpartition(".")
    try:
        figures = getattr(importlib.import_module(f"tests.benchmarks.{module}"), name)(Place(Path(path)))
    except ModuleNotFoundError as error:
        print(f"{measurement} is left out: {error.name} is not installed", file=sys.stderr)  # noqa: T201
        figures = None
    if figures:
        figures["process MB"] = peak() / 1e6
    print(json.dumps(figures))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
