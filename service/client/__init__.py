"""Commands that ask a service, and have the engine beside: `match_command.py` runs matches."""
