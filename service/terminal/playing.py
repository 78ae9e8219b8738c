"""A game in the terminal: it listens to the game and to the player at once, until one of them ends it."""

from contextlib import suppress

from rich.text import Text

from red_november_client.errors import Refused, Unreachable
from service.terminal import plain
from service.terminal.advisor import Advisor
from service.terminal.board import ALERT, BOLD, QUIET
from service.terminal.ending import show_end
from service.terminal.finding import Seat
from service.terminal.followed_game import FollowedGame
from service.terminal.following import Follower
from service.terminal.keyboard import END, Keyboard
from service.terminal.lobby import Lobby
from service.terminal.menu import FIRST, Entry, entries, find, menu
from service.terminal.panels import frame
from service.terminal.saved import SavedGames
from service.terminal.screen import Screen
from service.terminal.speech import Speech
from service.terminal.trip import Trip
from service.wire import Wire
from service.words.catalogue import Catalogue

DONE, FAILED, INTERRUPTED = 0, 1, 130
_FIRST_LINES = 6
_END_LINES = 9  # of the result, below the board
_LEAST_MENU = 2  # lines
_FRAME_MARGIN = 3  # lines around the board and the menu: the decision, the prompt
# The same keys of a Russian keyboard.
_KEYS = str.maketrans("йфщзгдиырсье", "qaopulbshcmt")
_COMMANDS = "?haopulbsqm"
_OVERTAKEN = {"version_conflict", "precondition_failed", "not_your_turn", "bot_plays", "illegal_move", "game_over"}


class Play:
    """Shows the game to a player, and plays the moves that they choose."""

    def __init__(self, seat: Seat, screen: Screen, texts: Catalogue, keyboard: Keyboard, games: SavedGames):
        self._seat, self._screen, self._texts, self._keyboard, self._games = seat, screen, texts, keyboard, games
        self._speech = Speech(texts.language)
        self._game = FollowedGame(seat.client, seat.state["id"], self._speech, texts, seat.state)
        self._advisor = Advisor(self._game, screen, self._speech, texts)
        self._offered: list[Entry] = []
        self._asked = -1  # the version whose decision is on the screen
        self._shown_turn = -1
        self._confirming: Entry | None = None
        self._trip = Trip(self._game, screen, self._speech, texts)
        self._lobby = Lobby(seat, self._game, screen, self._speech, texts)
        self.is_over = False

    def run(self) -> int:
        """Play until the game is over or left, and return the exit code."""
        self._save()
        for event in self._game.history():
            self._game.take(event)
        for line in self._game.log[-_FIRST_LINES:]:
            self._advisor.tell(line)
        follower = Follower(self._seat.client, self._game.game_id, self._game.seq, self._texts.language)
        try:
            while True:
                self._listen(follower)
                if self._game.over:
                    return self._end()
                self._ask()
                typed = self._keyboard.wait([follower.wake], None, self._may_type)
                if typed == END or (typed is not None and self._is_leaving(typed)):
                    return self._leave(DONE)
                if typed is not None:
                    self._screen.answered()
                    self._answer(typed)
        except KeyboardInterrupt:
            self._screen.say("")
            return self._leave(INTERRUPTED)
        except Unreachable:
            self._leave(FAILED)
            raise
        finally:
            follower.close()

    # What happens

    def _listen(self, follower: Follower) -> None:
        lines = [line for event in follower.take() for line in self._game.take(event)]
        for line in lines:
            self._advisor.tell(line)
        self._game.catch_up()
        if lines and self._is_asked:
            self._prompt()

    def _ask(self) -> None:
        """Show the decision if it is the player's and new, or else what they wait for."""
        state = self._game.state
        if state["status"] == "waiting":
            self._lobby.wait()
        elif self._is_ours and self._game.is_up_to_date:
            if not self._is_asked:
                self._show()
        elif state["decision"]:
            self._confirming = None
            text = self._game.thinks or self._speech.decision(state)
            self._screen.passing(self._texts("thinking", text=text))

    @property
    def _is_ours(self) -> bool:
        """Return whether the player must decide: nobody else gets a list of moves."""
        return bool(self._game.state["legal_moves"])

    @property
    def _is_asked(self) -> bool:
        return self._is_ours and self._asked == self._game.state["version"]

    @property
    def _may_type(self) -> bool:
        """Return whether to read a line. A script's lines wait for its decisions; people may ask for help anytime."""
        return self._is_asked or self._game.state["status"] == "waiting" or self._keyboard.is_terminal

    # The decision

    def _show(self) -> None:
        state = self._game.state
        self._offered, self._asked, self._confirming = entries(state, self._speech), state["version"], None
        self._trip.forget()
        is_new_turn, self._shown_turn = state["turn"] != self._shown_turn, state["turn"]
        if self._screen.plain:
            self._screen.say("", self._headline())
            if is_new_turn:
                self._board()
            self._screen.say(*plain.moves(self._offered, self._speech, state["phase"]))
        else:
            rows = self._screen.height - len(frame(state, self._speech, self._texts, self._screen.width, 0)) - 2
            offered = menu(self._offered, self._speech, self._texts, self._screen.width, rows)
            if len(offered) > max(rows, _LEAST_MENU):  # the board would scroll away
                offered = [*offered[: max(rows, _LEAST_MENU) - 1], Text(self._texts("menu_more"), QUIET)]
            self._screen.say("")
            self._board(_FRAME_MARGIN + len(offered))
            self._screen.say(self._headline(), style=BOLD)
            self._screen.show(offered)
        self._prompt()

    def _board(self, others: int = _FRAME_MARGIN) -> None:
        state, screen = self._game.state, self._screen
        if screen.plain:
            screen.say(*plain.lines(state, self._speech, self._texts))
        else:
            screen.show(frame(state, self._speech, self._texts, screen.width, screen.height - others))

    def _headline(self) -> str:
        state = self._game.state
        parts = [self._speech.decision(state)]
        if state["decision"]["deadline"]:
            left = self._seat.client.clock.seconds_left(state["decision"]["deadline"])
            parts.append(self._texts("deadline", left=self._speech.duration(left)) if left else self._texts("too_late"))
        return " · ".join(parts)

    def _prompt(self) -> None:
        asked = self._texts("prompt_confirm" if self._confirming else "prompt")
        self._screen.prompt(self._trip.question if self._trip.is_open else asked)

    # What is typed

    @staticmethod
    def _command(typed: str) -> tuple[str, str] | None:
        """Return a command and what follows it: a letter alone, or with a number. All else is a move."""
        letter, rest = typed[:1].casefold().translate(_KEYS), typed[1:].strip()
        if not letter or letter not in _COMMANDS:
            return None
        is_bot = letter == "s" and typed[1:2] == " "
        return (letter, rest) if not rest or rest.isdecimal() or is_bot else None

    def _is_leaving(self, typed: str) -> bool:
        return self._command(typed) == ("q", "") and not self._confirming and not self._trip.is_open

    def _answer(self, typed: str) -> None:
        """Do what a line asks for. Whatever that was, the player is asked again while it is their turn."""
        try:
            if self._confirming:
                self._confirm(typed)
            elif self._considers(typed):
                pass
            elif self._trip.is_open and self._is_asked:
                if moves := self._trip.take(typed):
                    self._play(moves)
            elif command := self._command(typed):
                self._obey(*command)
            elif not self._is_asked:
                if typed:
                    self._screen.say(self._texts("not_your_turn"))
            elif typed:
                self._choose(typed)
        except Refused as error:
            self._refused(error)
        except Unreachable as error:  # it may be back soon
            reason = self._texts("unreachable", server=error.server, reason=error.reason)
            self._screen.say(reason, style=ALERT)
        if self._is_asked:
            self._prompt()

    def _considers(self, typed: str) -> bool:
        """Have a plan weighed by a bot, or show it to the others, before it is confirmed."""
        chosen, letter = self._trip.chosen, typed.casefold().translate(_KEYS)
        if not chosen or not self._is_asked or letter not in ("a", "t"):
            return False
        (self._advisor.weigh if letter == "a" else self._advisor.show)(chosen.moves)
        return True

    def _refused(self, error: Refused) -> None:
        self._screen.say(str(error), style=ALERT)
        if error.code in _OVERTAKEN:
            self._screen.say(self._texts("moved_on"))
            self._asked = -1
        self._game.learn(self._seat.client.get(self._game.path))

    def _obey(self, letter: str, rest: str) -> None:
        if letter in "?h":
            self._advisor.help(self._game.state["status"] == "waiting")
        elif letter == "o":
            self._advisor.odds()
        elif letter in "lu":
            self._advisor.log(up=letter == "u")
        elif letter == "b":
            self._board()
        elif letter == "s" and self._game.state["status"] == "waiting":
            self._lobby.start({"fill_with": rest.casefold()} if rest else {})
        elif not self._is_asked:
            self._screen.say(self._texts("not_your_turn"))
        elif letter == "m":
            self._list(self._offered)
        elif letter == "p":
            self._preview(rest)
        elif letter == "a" and rest:
            planned = self._advisor.planned(int(rest), self._offered)
            if planned:
                self._take(planned)
        elif letter == "a":
            self._advisor.advise()

    def _preview(self, rest: str) -> None:
        entry = self._numbered(int(rest)) if rest else None
        if entry:
            self._advisor.preview(entry)
        elif not rest:
            self._screen.say(self._texts("preview_which"))

    def _numbered(self, number: int) -> Entry | None:
        if 0 <= number - FIRST < len(self._offered):
            return self._offered[number - FIRST]
        last = len(self._offered) + FIRST - 1
        self._screen.say(self._texts("no_such_number", number=number, first=FIRST, last=last))
        return None

    def _to_room(self, number: int) -> None:
        """Begin a trip to a room; where another choice is to be made, choose that room."""
        room = number or "sea"
        if self._game.state["decision"]["kind"] == "movement":
            self._trip.open(room)
            return
        meant = [entry for entry in self._offered if room in (entry.move.get("to"), entry.move.get("room"))]
        if len(meant) == 1:
            self._take(meant[0])
        else:
            self._numbered(number)

    def _choose(self, typed: str) -> None:
        if typed.isdecimal():
            number = int(typed[:9])
            if number < FIRST:
                self._to_room(number)
            elif entry := self._numbered(number):
                self._take(entry)
            return
        found = find(typed, self._offered)
        if len(found) == 1:
            self._take(found[0])
        elif found:
            self._screen.say(self._texts("ambiguous", typed=typed))
            self._list(found)
        else:
            self._screen.say(self._texts("no_such_move", typed=typed))

    def _list(self, offered: list[Entry]) -> None:
        if self._screen.plain:
            self._screen.say(*plain.moves(offered, self._speech, self._game.state["phase"]))
        else:
            self._screen.show(menu(offered, self._speech, self._texts, self._screen.width))

    def _confirm(self, typed: str) -> None:
        entry, self._confirming = self._confirming, None
        if entry and typed.casefold()[:1] in (self._texts("yes"), "y"):
            self._play([entry.move])
        else:
            self._screen.say(self._texts("not_abandoned"))

    def _take(self, entry: Entry) -> None:
        if entry.move["type"] == "abandon_comrades":
            self._confirming = entry  # the prompt asks
        else:
            self._play([entry.move])

    def _play(self, moves: list[Wire]) -> None:
        turn = {"moves": moves, "version": self._asked}
        answer = self._seat.client.post(f"{self._game.path}/moves", turn)
        self._game.learn(answer["game"])

    # The end

    def _save(self) -> None:
        try:
            self._games.keep(self._seat.saved)
        except OSError as error:
            self._screen.say(self._texts("cant_save", reason=error.strerror or str(error)), style=ALERT)

    def _leave(self, code: int) -> int:
        self._screen.answered()
        self._screen.say(self._texts("left"))
        return code

    def _end(self) -> int:
        with suppress(OSError):
            self._games.forget(self._seat.saved)
        self.is_over = True
        state = self._game.state
        if not state["result"]:
            return FAILED
        self._screen.say("")
        self._board(_END_LINES)
        show_end(self._screen, self._seat.client, state, self._seat.saved.promise, self._speech, self._texts)
        return DONE
