"""A release to come: it stores games in another layout, which this release knows nothing of.

`python -m tests.drills.later worker` and `… gunicorn …` start it as the commands of today's release do.
"""

import runpy
import sys


def main(command: str, arguments: list[str]) -> None:
    if command == "gunicorn":
        from gevent import monkey  # noqa: PLC0415 - before all else, and for gunicorn alone

        monkey.patch_all()
    from service.store import layouts  # noqa: PLC0415

    layouts.MIGRATIONS = (*layouts.MIGRATIONS, dict)
    layouts.LAYOUT += 1
    module = "gunicorn" if command == "gunicorn" else "service.cli"
    sys.argv = [module, *arguments] if command == "gunicorn" else [module, command, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
