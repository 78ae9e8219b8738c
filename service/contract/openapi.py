"""Write the contract where the web process reads it, and the types that the client has of it: `make openapi`."""

from service.api.docs import CONTRACT
from service.contract import client_types
from service.contract.spec import generate

if __name__ == "__main__":
    contract = generate()
    CONTRACT.write_text(contract, encoding="utf-8")
    client_types.TYPES.write_text(client_types.generate(contract), encoding="utf-8")
