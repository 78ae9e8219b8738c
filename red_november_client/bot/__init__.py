"""Bots of one's own: `runner.py` seats them at a service, `mouths.py` asks them, `check.py` and `bench.py` try them.

`cli.py` is the command line of all that.
"""
