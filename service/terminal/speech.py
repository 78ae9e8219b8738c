"""The game's own words, for one game: who sits where, which edition."""

from service.terminal.texts import harmless
from service.wire import Wire
from service.words import Words, clean_name

_PRICE = ("cost", "chance", "minutes")
_LOGGED_ACTIONS = {
    "draw_items", "trade_items", "no_action", "abandon_comrades", "attack_gnome", "extinguish_fire", "pump_water",
    "fix_engine", "fix_oxygen_pumps", "fix_reactor", "stop_missile_launch", "kill_kraken", "unblock_hatch",
}  # fmt: skip


class Speech:
    """Says what happens in a game. It learns from each state who sits where: players come and go."""

    def __init__(self, language: str):
        self.language = language
        self.words = Words(language)
        self.names: list[str | None] = []
        self._bots: list[str | None] = []

    def see(self, state: Wire) -> None:
        """Learn the edition and the names of a state."""
        self.words = Words(self.language, state["rules"]["edition"])
        players = {player["id"]: player["name"] for player in state["players"]}
        self.names = [players.get(seat["player_id"] or "") for seat in state["seats"]]
        self._bots = [seat["bot"] if seat["kind"] == "bot" else None for seat in state["seats"]]

    def sentence(self, event: Wire) -> str:
        """Describe an event; one of a later service, for which there are no words here, by its type."""
        try:
            return harmless(self.words.sentence(event, self.names))
        except (KeyError, TypeError, IndexError):
            return harmless(str(event.get("type", "?")))

    def is_news(self, event: Wire) -> bool:
        """Return whether an event belongs in the log. Most choices and all minutes show otherwise."""
        if event["type"] == "choice":
            return "move" not in event or event["move"]["type"] in _LOGGED_ACTIONS
        return event["type"] not in ("minutes_spent", "bot_thinks", "client_data_changed")

    def move(self, move: Wire, phase: str | None = None) -> str:
        """Name a move, without what it costs, which is shown beside it."""
        bare = {name: value for name, value in move.items() if name not in _PRICE}
        return harmless(self.words.move(bare, self.names, phase))

    def priced(self, move: Wire, phase: str | None = None) -> str:
        """Describe a move with its minutes and its chance."""
        return harmless(self.words.move(move, self.names, phase))

    def decision(self, state: Wire) -> str:
        decision = state["decision"]
        return harmless(self.words.decision(decision["kind"], decision["seat"], self.names))

    def gnome(self, seat: int) -> str:
        """Name a gnome in short, by its player's name, its bot's, or its number."""
        name = clean_name(self.names[seat] or "") if seat < len(self.names) else ""
        bot = self._bots[seat] if seat < len(self._bots) else None
        return name or (harmless(self.words.bot(bot)) if bot else self.words.gnome(seat))

    def full_gnome(self, seat: int) -> str:
        return harmless(self.words.gnome(seat, self.names))

    def gnomes(self, seats: list[int]) -> str:
        return harmless(self.words.gnomes(seats, self.names))

    def room(self, room: int | str) -> str:
        return self.words.name("room", room)

    def item(self, item: str) -> str:
        return self.words.item(item)

    def hidden(self, count: int) -> str:
        return self.words.hidden(count)

    def track(self, track: str) -> str:
        return self.words.name("track", track)

    def token(self, token: str) -> str:
        return self.words.name("token", token)

    def condition(self, condition: str) -> str:
        return self.words.name("condition", condition)

    def water(self, water: str) -> str:
        return self.words.name("water", water)

    def tenths(self, value: float) -> str:
        """Return a number with one decimal, after a comma where the language has one."""
        return f"{value:.1f}".replace(".", "." if self.words.language == "en" else ",")

    def percent(self, chance: float) -> str:
        return self.words.percent(chance)

    def minutes(self, minutes: int) -> str:
        return self.words.minutes(minutes)

    def duration(self, seconds: int) -> str:
        return self.words.duration(seconds)
