"""Games in the terminal: `red-november play` and `red-november watch`, clients of the service like any other.

`commands.py` has the command line, `playing.py` and `watching.py` what goes on, `client.py` and `following.py` the
service, `board.py`, `panels.py` and `menu.py` what is drawn, `plain.py` the same in lines that can be read aloud,
`texts*.py` our own words; those of the game are in `service/words`.
"""
