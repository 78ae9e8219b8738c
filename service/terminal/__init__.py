"""Games in the terminal: `red-november play` and `red-november watch`, clients of the service like any other.

`commands.py` has the command line. `playing.py` and `watching.py` run a game, which `finding.py` finds and
`followed_game.py` keeps up to date; `board.py`, `panels.py` and `menu.py` draw it, and `plain.py` writes the same in
lines that can be read aloud. `texts.py` and a module for each language have the terminal's own words; those of the game
are in `service/words`.
"""
