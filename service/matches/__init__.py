"""Matches: thousands of games between bots, played by all workers, so that crews can be compared.

A match is a series of games for each number of gnomes, the very ones of `red-november match` with the same seed. What
is in Redis of a match (`shelf.py`, `../matches.lua`):

match:{id}              hash: what was asked for, state, version, how far it is
match:{id}:open         sorted set: ranges of games that are begun, and until when somebody has them
match:{id}:games:S:L    string: the results of series S and line-up L, so many bytes a game (`packed.py`)
match:{id}:faults:S:L   sorted set: the first failures of bots, by game
match:{id}:moves:S:L    hash: the moves of games, where they are kept
match:{id}:odd          hash: games that another release played otherwise
matches                 sorted set: all matches by when they were created
match:running           sorted set: those that workers should play

A job is a slice of a few seconds (`slices.py`): it takes ranges of games, plays them, writes their results where they
belong, and gives back what it did not come to. Whatever is lost is played again, and comes to the same.
"""
