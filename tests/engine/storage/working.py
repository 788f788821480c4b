"""Work for processes of their own, which import it by its name."""

import os
import signal
import time


def worker(factor):
    """Work that a test asks for by the kind of the item."""

    def work(item):
        if item == "die":
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        if item == "print":
            os.write(1, b"in between")
        if item == "sleep":
            time.sleep(60)
        return item * factor if isinstance(item, int) else os.getpid()

    return work
