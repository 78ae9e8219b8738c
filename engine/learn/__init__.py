"""Environments for programs that learn: many games at once by numbers, and PettingZoo's form of one.

Nothing else of the house imports this package: it is compiled for whoever learns, in some twenty seconds, once.
`red_november_v1` needs PettingZoo, which `pip install 'red-november[learn]'` brings.
"""

from engine.learn.batch import ILLEGAL, Batch

__all__ = ["ILLEGAL", "Batch"]
