"""Generators of clients, run on the committed contract: what they make compiles strictly, and plays a whole game."""
