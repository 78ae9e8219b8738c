"""Runs the service for as long as the process that started it: `python -m service.terminal.attached_service …`.

Standard input is a pipe that nobody writes to. When it ends, for whatever reason, the service stops in order, so that
nothing is left behind even by a process that was killed.
"""

import argparse
import os
import signal
import sys
import threading

from service.operate.serve import add_serve


def _stop_with_parent() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> int:
    parser = argparse.ArgumentParser()
    add_serve(parser)
    options = parser.parse_args()
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
