"""Put events into words, one after the other."""

from collections.abc import Sequence

from service.games.model import Json, Table
from service.words import Words


class Narrator:
    """Puts events into the words of a language, with the players' names."""

    def __init__(self, lang: str, table: Table):
        self.lang = lang
        self._words = Words(lang, table.game.rules.edition)
        called = {player.id: player.name for player in table.lobby.players}
        self._names = [called.get(seat.player or "") for seat in table.lobby.seats]

    def labelled(self, moves: Sequence[Json], phase: str) -> list[Json]:
        """Return legal moves with their `text`: what each is called, and what it takes. The phase says what `done`
        means."""
        return [move | {"text": self._words.move(move, self._names, phase)} for move in moves]

    def showing(self, signal: Json) -> Json:
        """Return what a seat shows with its `text`."""
        return signal | {"text": self._words.signal(signal, self._names)}

    def told(self, event: Json) -> Json:
        """Return the event with its `text`. The event must have no secrets left: the text would reveal them."""
        text = self._words.sentence(event, self._names)
        if event["type"] in ("player_joined", "player_left"):
            for seat in event["seats"]:
                self._names[seat] = event.get("name")
        return event | {"text": text}
