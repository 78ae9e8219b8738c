"""Tell what changed since the last release's contract; on a release, write it down: `make contract-changes`."""

import argparse
import sys
from pathlib import Path
from typing import Any

import yaml

from service.contract.changes import changelog
from service.contract.changes.operations import compare
from service.wire import Wire

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load(path: Path) -> Wire:
    """Return a contract that is kept as YAML."""
    return dict(yaml.load(path.read_text(encoding="utf-8"), _Loader))


def main(arguments: list[str] | None = None) -> int:
    """Print the changes, and return 1 if there are breaking ones; with `--release` keep the contract as released."""
    parser = argparse.ArgumentParser(prog="python -m service.contract.changes", description=__doc__)
    parser.add_argument("released", type=Path, help="the contract of the last release")
    parser.add_argument("contract", type=Path, help="the contract of today")
    parser.add_argument("--release", type=Path, metavar="FILE", help="keep today's as released, tell it in this file")
    asked = parser.parse_args(arguments)
    old, new = load(asked.released), load(asked.contract)
    changes = compare(old, new)
    told = changelog.section(new["info"]["version"], changes)
    print(told, end="")
    if asked.release is None:
        return int(any(change.breaking for change in changes))
    if changelog.is_next_release(old, new):
        text = asked.release.read_text(encoding="utf-8")
        asked.release.write_text(changelog.with_section(text, told), encoding="utf-8")
    asked.released.write_bytes(asked.contract.read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
