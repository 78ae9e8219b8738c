"""Clients of the service: `http.py` speaks HTTP, `streams.py` follows streams, `match_command.py` runs a match."""
