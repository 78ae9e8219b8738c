"""Write the contract where the web process reads it: `make openapi`."""

from service.api.docs import CONTRACT
from service.contract.spec import generate

if __name__ == "__main__":
    CONTRACT.write_text(generate(), encoding="utf-8")
