"""HTTP: one blueprint a resource. A view says who asks and what for; `games.py` does it."""
