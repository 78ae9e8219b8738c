"""Writes the contract to a file: `make openapi`."""

import sys
from pathlib import Path

from service.app import create_app


def contract() -> str:
    return create_app().test_client().get("/openapi.yaml").get_data(as_text=True)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(contract())
