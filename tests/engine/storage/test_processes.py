import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from engine.errors import Cancelled
from engine.storage.processes import Processes
from tests.engine.storage.working import worker


def test_results_come_in_the_order_of_the_items():
    with Processes(2, worker, 3) as processes:
        assert list(processes.map(list(range(20)), lambda item: -1)) == [3 * item for item in range(20)]


def test_others_do_the_work_and_what_they_print_is_not_in_the_way():
    with Processes(2, worker, 1) as processes:
        found = list(processes.map(["print", "print", 7], lambda item: -1))
        assert os.getpid() not in found and found[-1] == 7


def test_what_a_dead_process_leaves_is_done_here():
    with Processes(2, worker, 2) as processes:
        items = [1, "die", 2, "die", 3, 4]
        assert list(processes.map(items, lambda item: f"here {item}"))[1::2] == ["here die", "here die", "here 4"]


def test_waiting_ends_when_it_is_asked_to_and_so_do_the_processes():
    asked = []

    def look():
        asked.append(time.monotonic())
        if len(asked) > 3:
            raise Cancelled

    with pytest.raises(Cancelled), Processes(1, worker, 1) as processes:
        started = processes._started
        list(processes.map(["sleep"], lambda item: -1, look))
    assert all(process.returncode is not None for process in started)


def test_it_needs_neither_a_guarded_main_module_nor_a_standard_error():
    """As in an app that draws: no terminal, no file number behind `sys.stderr`."""
    script = (
        "import sys\n"
        "class Drawn:\n"
        "    def write(self, text): pass\n"
        "    def flush(self): pass\n"
        "    def fileno(self): return -1\n"
        "sys.stderr = Drawn()\n"
        "from engine.storage.processes import Processes\n"
        "from operator import methodcaller\n"
        "with Processes(1, methodcaller, 'upper') as processes:\n"
        "    print(list(processes.map(['a', 'b'], str)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=os.getcwd())
    assert ended.stdout == "['A', 'B']\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_processes_end_with_the_one_that_started_them():
    script = (
        "import time\n"
        "from operator import methodcaller\n"
        "from engine.storage.processes import Processes\n"
        "processes = Processes(1, methodcaller, 'upper')\n"
        "print(processes._started[0].pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=os.getcwd()) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    state = Path(f"/proc/{child}/stat")
    for _ in range(200):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        with suppress(OSError):
            if state.read_text().split()[2] == "Z":  # it has ended, nobody has asked how
                return
        time.sleep(0.05)
    raise AssertionError("it goes on")
