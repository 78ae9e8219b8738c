"""Around the game: join, leave, start, delete, hand seats over."""

from typing import Any

from service import clock, tokens, views
from service.access import Answer, Caller, answering, commit, find, need_host, need_token, state_answer
from service.errors import Problem, invalid
from service.pressure import refuse_new_work
from service.store import Store
from service.tables import Table, Viewer
from service.timing import BOT, OPEN, PLAYER, STAND_IN

Wire = dict[str, Any]


@answering
def join(store: Store, table: Table, viewer: Viewer, caller: Caller, wanted: Wire) -> Answer:
    """A player takes an open seat, with all seats that the rules give to one player."""
    now = clock.now()
    if table.status != "waiting":
        raise Problem("already_started", "Players join before the start.")
    rules = table.game.rules
    seat = wanted.get("seat")
    if seat is None:
        seat = next((each["seat"] for each in table.seats if each["kind"] == OPEN), None)
        if seat is None:
            raise Problem("seat_taken", "No seat is open.")
    if seat >= rules.gnomes:
        raise invalid("/seat", f"must be 0 to {rules.gnomes - 1}")
    if table.seats[seat]["kind"] != OPEN:
        raise Problem("seat_taken", f"Seat {seat} is taken.", [{"pointer": "/seat", "detail": "is taken"}])
    seats = [other for other in rules.seats_of_player_at(seat) if table.seats[other]["kind"] == OPEN]
    token_salt = tokens.new_salt()
    token = tokens.make(token_salt, caller.key)
    table.secret["joined"] += 1
    player = {"id": f"p{table.secret['joined']}", "name": wanted["name"], "seats": seats}
    table.players.append(player)
    for other in seats:
        table.seats[other] |= {"kind": PLAYER, "player": player["id"]}
    table.rights[tokens.digest(token)] = player["id"]
    table.seen[player["id"]] = now
    table.tell(now, [{"type": "player_joined", "player": player["id"], "name": player["name"], "seats": seats}])
    joined = Viewer(player=player["id"], seats=tuple(seats))
    body = {"player": player["id"], "seats": seats, "state": views.state(table, joined)}
    headers = {"ETag": views.etag(table, joined), "Location": f"/v1/games/{table.id}"}
    return commit(store, caller, table, table.change(now), Answer(201, body, headers), token_salt)


@answering
def leave(store: Store, table: Table, viewer: Viewer, caller: Caller, player_id: str) -> Answer:
    """Before the start his seats are open again; after it a bot plays them."""
    now = clock.now()
    need_token(caller)
    player = next((each for each in table.players if each["id"] == player_id), None)
    if not viewer.host and viewer.player != player_id:
        raise Problem("forbidden", "Only the host and the player may do that.")
    if player is None:
        raise Problem("not_found", "There is no such player.")
    if table.status == "finished":
        raise Problem("game_over", "Nobody can leave any more.")
    for seat in player["seats"]:
        left = {"kind": OPEN, "bot": None} if table.status == "waiting" else {"kind": BOT, "bot": STAND_IN}
        table.seats[seat] |= left | {"player": None, "away": False}
    table.players.remove(player)
    table.rights = {digest: who for digest, who in table.rights.items() if who != player_id}
    table.tell(now, [{"type": "player_left", "player": player_id, "seats": player["seats"]}])
    return commit(store, caller, table, table.change(now), Answer(204, {}, {}))


@answering
def start(store: Store, table: Table, viewer: Viewer, caller: Caller, wanted: Wire) -> Answer:
    now = clock.now()
    need_host(viewer, caller)
    if table.status != "waiting":
        raise Problem("already_started", "It starts once.")
    still_open = [seat for seat in table.seats if seat["kind"] == OPEN]
    bot = wanted.get("fill_with")
    if still_open and bot is None:
        raise Problem(
            "seats_open", "Fill them with bots: send `fill_with`.", open_seats=[s["seat"] for s in still_open]
        )
    for seat in still_open:
        seat |= {"kind": BOT, "bot": bot}
    if any(seat["kind"] == BOT for seat in table.seats):
        refuse_new_work(store)
    table.about["status"] = "playing"
    table.tell(now, [{"type": "game_started", "seats": table.seats}, *table.secret.pop("opening")])
    return commit(store, caller, table, table.change(now, moved=True), state_answer(table, viewer))


@answering
def control(store: Store, table: Table, viewer: Viewer, caller: Caller, number: int, wanted: Wire) -> Answer:
    """Hands a seat to a bot, or back to its player."""
    now = clock.now()
    need_token(caller)
    if not 0 <= number < len(table.seats):
        raise Problem("not_found", f"The seats are 0 to {len(table.seats) - 1}.")
    if not viewer.host and number not in viewer.seats:
        raise Problem("forbidden", "Only the host and the seat's player may do that.")
    if table.status == "finished":
        raise Problem("game_over", "Nobody plays any more.")
    seat = table.seats[number]
    if wanted["kind"] == PLAYER and seat["player"] is None:
        raise Problem("no_player", "Nobody has joined on this seat.")
    controller = {"kind": wanted["kind"], "bot": wanted.get("bot")}
    if {name: seat[name] for name in controller} == controller:
        return state_answer(table, viewer)
    seat |= controller | {"away": False}
    table.tell(now, [{"type": "controller_changed", "seat": number, **controller}])
    return commit(store, caller, table, table.change(now), state_answer(table, viewer))


def delete(store: Store, game_id: str, caller: Caller) -> Answer:
    _, viewer = find(store, game_id, caller)
    need_host(viewer, caller)
    store.delete(game_id)
    return Answer(204, {}, {})
