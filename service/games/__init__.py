"""Games: who sits at a table, what they do there, and what they are shown."""
