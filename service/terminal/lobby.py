"""A table that has not begun: who is waited for, and the host's start."""

from red_november_client.errors import Refused
from service.terminal.board import ALERT
from service.terminal.finding import Seat
from service.terminal.followed_game import FollowedGame
from service.terminal.screen import Screen
from service.terminal.speech import Speech
from service.wire import Wire
from service.words.catalogue import Catalogue


class Lobby:
    """Tells a player which seats are open, and begins the game when the host wants it or nobody else must come."""

    def __init__(self, seat: Seat, game: FollowedGame, screen: Screen, speech: Speech, texts: Catalogue):
        self._seat, self._game, self._screen, self._speech, self._texts = seat, game, screen, speech, texts
        self._shown = ""

    def wait(self) -> None:
        """Say whom the table waits for, once; the host begins when that is nobody."""
        state = self._game.state
        free = [seat["seat"] for seat in state["seats"] if seat["kind"] == "open"]
        if not free and self._seat.host:
            self.start({})
            return
        names = self._speech.words.gnomes(free)
        if self._shown == names or not (free or self._shown == ""):
            return
        self._shown = names or "-"
        texts = self._texts
        if free:
            self._screen.say(texts("lobby", open=names, server=self._seat.client.server, game=state["id"]))
        self._screen.say(texts("lobby_start" if self._seat.host else "lobby_waits"))

    def start(self, options: Wire) -> None:
        """Begin the game, if the player is its host."""
        if self._seat.host is None:
            self._screen.say(self._texts("lobby_waits"))
            return
        try:
            self._seat.host.post(f"{self._game.path}/start", options)
        except Refused as error:
            self._screen.say(str(error), style=ALERT)
        self._game.learn(self._seat.client.get(self._game.path))
