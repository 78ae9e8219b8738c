"""Run a command on a machine that is busy with other things:  python -m tests.support.busy COMMAND …

Two processes a core do nothing but keep the machine busy. A test that fails beside them supposes how fast the machine
is.
"""

import os
import subprocess
import sys

A_CORE = 2
_BUSY = "while True: pass"


def main() -> int:
    number = A_CORE * (os.cpu_count() or 1)
    print(f"beside {number} busy processes", flush=True)
    others = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(number)]
    try:
        return subprocess.run(sys.argv[1:], check=False).returncode
    except KeyboardInterrupt:
        return 130
    finally:
        for other in others:
            other.kill()


if __name__ == "__main__":
    sys.exit(main())
