"""Events told in words, one after the other."""

from typing import Any

from service.tables import Table
from service.words import Words

Wire = dict[str, Any]


class Narrator:
    """Knows a language, and what the players are called."""

    def __init__(self, lang: str, table: Table):
        self.lang = lang
        self._words = Words(lang, table.game.rules.edition)
        called = {player["id"]: player["name"] for player in table.players}
        self._names: list[str | None] = [called.get(seat["player"]) for seat in table.seats]

    def told(self, event: Wire) -> Wire:
        """The event with its `text`. It must have no secrets left: they would be told."""
        text = self._words.sentence(event, self._names)
        if event["type"] in ("player_joined", "player_left"):
            for seat in event["seats"]:
                self._names[seat] = event.get("name")
        return event | {"text": text}
