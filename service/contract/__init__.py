"""Write the contract, `openapi.yaml`. The web process imports nothing of this."""
