"""`python -m service.terminal.tether …`: the service, for as long as whoever started it is there.

Its standard input is a pipe that nobody writes to. When that ends, for whatever reason, the service stops in order: so
nothing is left behind even by somebody who was killed.
"""

import argparse
import os
import signal
import sys
import threading

from service.serve import add_serve


def _stop_with_our_parent() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> int:
    parser = argparse.ArgumentParser()
    add_serve(parser.add_subparsers(required=True))
    options = parser.parse_args(["serve", *sys.argv[1:]])
    threading.Thread(target=_stop_with_our_parent, daemon=True).start()
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
