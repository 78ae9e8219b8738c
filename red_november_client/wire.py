"""JSON whose shape the contract describes; `shapes.py` has types of it, for whoever wants them."""

from typing import Any

Wire = dict[str, Any]
