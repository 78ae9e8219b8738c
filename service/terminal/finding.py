"""Bring a player to a table: a service is found or started, a game created, joined or resumed."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from engine import Rules
from red_november_client.addresses import parse_address
from red_november_client.blocking import Client
from red_november_client.errors import Refused
from red_november_client.probing import check_service, is_service
from service.locate import DEFAULT_ADDRESS, address_of
from service.store.data_folder import running_on
from service.terminal.own_service import OwnService
from service.terminal.saved import SavedGame, SavedGames
from service.terminal.screen import Screen
from service.wire import Wire
from service.words.catalogue import Catalogue

DEFAULT_BOT = "captain"
_OPEN = "open"


class CannotPlay(Exception):
    """Says in one line why there is no game to play."""


def read_address(text: str, texts: Catalogue) -> str:
    """Return the address of a service. Raises CannotPlay."""
    try:
        return parse_address(text)
    except ValueError as error:
        raise CannotPlay(texts("bad_address", server=text)) from error


@dataclass
class Seat:
    """A player's place at a table."""

    client: Client  # with the player's token
    state: Wire
    saved: SavedGame
    host: Client | None = None


class Finder:
    """Finds or makes the table that the command line asks for."""

    def __init__(self, options: argparse.Namespace, screen: Screen, texts: Catalogue, games: SavedGames):
        self._options, self._screen, self._texts, self._games = options, screen, texts, games
        self.own: OwnService | None = None
        self._is_new_folder = False

    def seat(self) -> Seat:
        """Return the player's seat. Raises CannotPlay, Refused, Unreachable and what the engine finds wrong."""
        if self._options.resume:
            return self._resume()
        if self._options.join:
            return self._join(self._client(self._server()), self._options.join)
        rules = self._rules()  # wrong ones are refused before anything is started
        return self._create(self._client(self._server()), rules)

    def _client(self, server: str, token: str | None = None) -> Client:
        def note() -> None:
            self._screen.passing(self._texts("waiting_for_service"))

        return Client(server, token, self._options.api_key, on_wait=note)

    def _server(self) -> str:
        wanted = self._options.server
        if wanted is not None:
            server = read_address(wanted, self._texts)
            check_service(server)
            return server
        if self._options.data is None and is_service(usual := address_of(None)):
            return usual
        if self._options.data is not None and (found := running_on(self._options.data)) and found.address:
            return found.address
        self._is_new_folder = self._options.data is None
        folder = OwnService.new_folder(self._games.folder) if self._options.data is None else self._options.data
        return self._start(folder)

    def _start(self, data: Path) -> str:
        self.own = OwnService(data)
        text = self._texts("starting_service", server=DEFAULT_ADDRESS)
        if self._options.data is not None or self._options.resume:
            text = self._texts("starting_own")
        self._screen.say(text, style="dim")
        self.own.start()
        self._screen.say(self._texts("service_up", server=self.own.server), style="dim")
        return self.own.server

    def _resume(self) -> Seat:
        """Resume the game that was left last, or the last one on the service that is named."""
        server = read_address(self._options.server, self._texts) if self._options.server else None
        found = [game for game in self._games.all() if server in (None, game.server)]
        if not found:
            raise CannotPlay(self._texts("nothing_to_resume"))
        saved = found[-1]
        if saved.data is not None:
            self._is_new_folder = saved.ours
            saved = self._moved(saved, self._start(Path(saved.data)))
        else:
            check_service(saved.server)
        client = self._client(saved.server, saved.token)
        try:
            state = client.get(f"/games/{saved.game}")
        except Refused as error:
            if error.status not in (401, 404):
                raise
            self._games.forget(saved)
            raise CannotPlay(self._texts("resume_gone", game=saved.game)) from error
        self._screen.say(self._texts("resumed", game=saved.game))
        return Seat(client, state, saved, client.with_token(saved.host) if saved.host else None)

    @staticmethod
    def _moved(saved: SavedGame, server: str) -> SavedGame:
        return SavedGame(**{**vars(saved), "server": server})

    def _create(self, client: Client, rules: Rules) -> Seat:
        wanted: Wire = {"rules": rules.to_dict(), "seats": self._seats(rules.gnomes)}
        if self._options.turn_seconds is not None:
            wanted["turn_seconds"] = self._options.turn_seconds
        if self._options.private:
            wanted["visibility"] = "private"
        made = client.post("/games", wanted)
        self._screen.say(self._texts("game_made", game=made["game"]["id"], server=client.server))
        host = client.with_token(made["token"])
        return self._join(host, made["game"]["id"], host)

    def _rules(self) -> Rules:
        options = self._options
        return Rules(
            len(options.seats) if options.seats else options.gnomes,
            options.players,
            edition=options.edition,
            less_deadly_dying=options.less_deadly_dying,
            hidden_hands=options.hidden_hands,
            crazed_gnomes=options.crazed_gnomes,
            greater_challenge=options.greater_challenge,
        )

    def _seats(self, gnomes: int) -> list[str]:
        """Keep seats open for the player, one for each of their gnomes, and give the others to bots."""
        if self._options.seats:
            return list(self._options.seats)
        own = gnomes // (self._options.players or gnomes)
        return [_OPEN] * own + [self._options.bots] * (gnomes - own)

    def _join(self, client: Client, game: str, host: Client | None = None) -> Seat:
        """Join a game. Players' own tokens give them their seats back; a host's lets a player into a private game."""
        token = self._options.token
        if token is not None:
            client = client.with_token(token)
            state = client.get(f"/games/{game}")
            if state["you"]["player_id"] is not None:
                return self._seated(client, state, None)
            host = client if state["you"]["host"] else None
        asked: Wire = {"name": self._options.name}
        if self._options.seat is not None:
            asked["seat"] = self._options.seat - 1
        joined = client.post(f"/games/{game}/players", asked)
        return self._seated(client.with_token(joined["token"]), joined["game"], host)

    def _seated(self, client: Client, state: Wire, host: Client | None) -> Seat:
        saved = SavedGame(
            client.server,
            state["id"],
            str(client.token),
            host.token if host else None,
            state["dice"]["hash"],
            str(self.own.data.resolve()) if self.own else None,
            self._is_new_folder,
        )
        return Seat(client, state, saved, host)

    def close(self, over: bool) -> None:
        """Stop a service that was started here, and delete its folder if its game is over or never began."""
        if self.own is None:
            return
        self._screen.say(self._texts("stopping_service"), style="dim")
        self.own.stop()
        data = str(self.own.data.resolve())
        if self._is_new_folder and (over or all(game.data != data for game in self._games.all())):
            self.own.delete_data()
