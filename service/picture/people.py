"""Tell who sits where, and who moves next, for pictures."""

from service.accounts.names import account_of
from service.picture.svg import clean, isolated
from service.wire import Wire
from service.words import Words, clean_name


def names(state: Wire, words: Words) -> list[str]:
    """Return by seat the player's name, the bot's, or that the seat is open. A bare view of the engine has no seats."""
    players = {player["id"]: player["name"] for player in state.get("players", [])}
    seats = state.get("seats") or [{"kind": None, "player_id": None}] * len(state["gnomes"])
    return [_name(number, seat, players, words) for number, seat in enumerate(seats)]


def _name(number: int, seat: Wire, players: dict[str, str], words: Words) -> str:
    player = players.get(seat["player_id"]) if seat["player_id"] else None
    if seat["kind"] == "bot":
        bot = words.text("bot", name=clean(account_of(seat["bot"]) or seat["bot"]))
        return f"{clean(player, 20)} ({bot})" if player else bot
    if player is not None:
        return clean(player) if clean_name(player) else words.text("gnome", seat=number)
    return words.text("open_seat") if seat["kind"] == "open" else ""


def called(seat: int, name: str, words: Words) -> str:
    """Return what a sentence calls a gnome: by the seat's number always, and by the name if there is one."""
    gnome = words.text("gnome", seat=seat)
    return f"{gnome} ({isolated(name)})" if name else gnome


def moving_order(gnomes: list[Wire]) -> list[int]:
    """Return the seats on the board in moving order: most minutes left first, and on one space whoever lies on top."""
    there = [seat for seat, gnome in enumerate(gnomes) if gnome["state"] in ("alive", "fainted")]
    return sorted(there, key=lambda seat: (-gnomes[seat]["minutes"], -gnomes[seat]["stack"]))


def own_seats(state: Wire) -> list[int]:
    return list((state.get("you") or {}).get("seats", []))


def open_hatch(state: Wire) -> str | None:
    """Return the hatch that stands open now, by its two sides."""
    beyond = (state.get("pending") or {}).get("open_hatch_to")
    if beyond is None:
        return None
    sides = [state["gnomes"][state["active"]]["room"], beyond]
    if "sea" in sides:
        return "-".join(str(side) for side in sorted(sides, key=lambda side: side == "sea"))
    return "-".join(map(str, sorted(sides)))
