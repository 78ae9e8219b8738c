"""JSON whose shape somebody else describes: the contract, a schema, or the engine. A type would only say it again."""

from typing import Any

Wire = dict[str, Any]
