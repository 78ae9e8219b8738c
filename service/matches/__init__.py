"""Matches: thousands of games between bots, played by all workers, so that crews can be compared.

A match is a series of games for each number of gnomes, the very ones of `red-november match` with the same seed.

`model.py` has the match as a value, `transitions.py` what happens to it, `records.py` how it is stored and
`repository.py` who loads and changes it, with `matches.lua`. `requests.py` answers callers; `scheduling.py` calls
workers, and `slices.py` is what they do. `store/match_keys.py` lists what Redis holds of a match.

A job is a slice of a few seconds (`slices.py`): it takes ranges of games, plays them, writes their results where they
belong, and gives back what it did not come to. Whatever is lost is played again, and comes to the same.
"""
