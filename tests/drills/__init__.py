"""Attacks and failures that the service must bear, as functions: short in `make test`, long where there is time."""
