"""Writes the contract to standard output: `make openapi`."""

import sys

from service.app import create_app


def contract() -> str:
    return create_app().test_client().get("/openapi.yaml").get_data(as_text=True)


if __name__ == "__main__":
    sys.stdout.write(contract())
