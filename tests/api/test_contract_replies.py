"""What the service answers is what the contract says: whole games of every variant, every operation, every refusal."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from engine import Rules
from engine.rows import Row
from service.api.problems import CODES
from service.app import create_app
from service.callers.door import GUEST, Door, Guest
from service.config import CLOSED, Config, Limit
from tests.drills.raw import answer, ask, connection, head
from tests.outside.given import registered
from tests.support.answers import NDJSON, SSE, finished, lines, listening, refused, scene
from tests.support.contract import Strict, check, document, faults, operations, template
from tests.support.matching import id_of, new_match
from tests.support.playing import CREWS, VARIANTS, bare, pick, seed_of, variant_name, wild_position
from tests.support.serving import UNLIMITED, Client, Reply, Seated, new_game, running_redis, running_web

Wire = dict[str, Any]

STREAM_LINE = {"$ref": "#/components/schemas/StreamLine"}


@pytest.fixture
def strict(api: Client) -> Strict:
    return Strict(api.base)


def types(name: str) -> set[str]:
    return set(document()["components"]["schemas"][name]["discriminator"]["mapping"])


def play_out(game: Seated, chance: random.Random) -> None:
    """To the end; the state that each move answers tells who is next."""
    state = game.state
    while state["result"] is None:
        player = game.players[state["decision"]["seat"]]
        legal = state["legal_moves"] or player.get(f"{game.path}/legal-moves").body["legal_moves"]
        turn = {"moves": [bare(pick(legal, chance))], "version": state["version"]}
        state = player.post(f"{game.path}/moves", turn).body["game"]


def looked_at(game: Seated) -> list[Wire]:
    """The history of a game that is over, after everybody has asked for everything."""
    spectator = Strict(game.host.base)
    for who in (game.host, game.players[0], spectator):
        assert who.get(game.path).body["result"]
        assert who.get(f"{game.path}/legal-moves").body["legal_moves"] == []
        assert who.get(f"{game.path}/replay").body["moves"]
        history = who.get(f"{game.path}/events?limit=1000").body["events"]
    for after in (0, 20):
        with listening(spectator, f"{game.path}/events/stream?after={after}") as stream:
            for line in lines(stream):
                assert not (fault := faults(line, STREAM_LINE)), fault
    return history


def scenes() -> Iterator[Wire]:
    """What random games seldom come to."""
    armed = {"room": 7, "minutes": 20, "items": {"crowbar": 1}}
    yield scene({**armed, "minutes": 40}, armed, rules={"crazed_gnomes": True})
    yield scene({"room": "sea", "minutes": 9}, {"minutes": 5}, {"minutes": 5}, active=0)


def test_whole_games_of_every_variant_keep_the_contract(strict: Strict) -> None:
    seen: set[str] = set()
    moved: set[str] = set()
    wanted: list[Wire] = [{"position": position} for position in scenes() for _ in range(8)]
    for number, variant in enumerate(VARIANTS):
        rules = Rules(*CREWS[number % len(CREWS)], **variant)
        wanted.append({"rules": rules.to_dict(), "seed": seed_of(number).hex(), "name": variant_name(variant)})
        wanted.append({"position": wild_position(rules, random.Random(number))})
    for number, each in enumerate(wanted):
        seats = (each.get("rules") or each["position"]["rules"])["gnomes"]
        game = new_game(strict, seats, **each)
        play_out(game, random.Random(number))
        history = looked_at(game)
        seen |= {event["type"] for event in history}
        moved |= {event["move"]["type"] for event in history if "move" in event}
    assert {row.name.lower() for row in Row} - seen == set()
    assert types("Move") - moved == set()


def test_every_operation_keeps_the_contract(strict: Strict) -> None:
    asked: set[tuple[str, str]] = set()

    class Noting(Strict):
        def be(self, token: str) -> "Noting":
            return Noting(self.base, token, self.headers)

        def call(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
            asked.add((method.lower(), template(path)))
            return super().call(method, path, body, **headers)

    client = Noting(strict.base)
    assert client.get("/v1/rules").status == client.get("/v1/bots").status == client.get("/v1/board").status == 200
    game = new_game(client, turn_seconds=60)
    player = game.decider()
    state = player.get(game.path)
    assert player.get(game.path, If_None_Match=state.headers["etag"]).status == 304
    assert player.get(f"{game.path}?after={state.body['version'] - 1}&wait=1").status == 200
    assert player.get(f"{game.path}?version=2").status == 200
    for picture in ("board.svg", "board.png?version=2&width=200"):
        seen = player.get(f"{game.path}/{picture}")
        assert player.get(f"{game.path}/{picture}", If_None_Match=seen.headers["etag"]).status == 304
    move = player.get(f"{game.path}/legal-moves").body["legal_moves"][0]
    assert player.preview(game.path, move).body["previews"]
    assert player.get(f"{game.path}/seats/{state.body['decision']['seat']}/reach").body["rooms"]
    signal = f"{game.path}/seats/{state.body['decision']['seat']}/signal"
    assert player.put(signal, {"moves": [move], "says": "what_now"}).status == 200
    assert client.get(f"{game.path}/signals?lang=de").body["signals"][0]["text"]
    assert player.delete(signal).status == 204
    told = {"Idempotency_Key": "a key", "Prefer": "return=minimal", "If_Match": state.headers["etag"]}
    for replayed in (None, "true"):
        reply = player.play(game.path, move, **told)
        assert (reply.status, reply.headers.get("idempotency-replayed")) == (200, replayed)
    adviser = game.decider()
    advice = adviser.post(f"{game.path}/advice")
    assert advice.status == 202
    assert adviser.get(advice.headers["location"]).status == adviser.get(f"{game.path}/odds").status == 200
    seat = state.body["you"]["seats"][0]
    for controller in ({"kind": "bot", "bot": "sailor"}, {"kind": "player"}):
        assert player.put(f"{game.path}/seats/{seat}/controller", controller).status == 200
    assert player.delete(f"{game.path}/players/{state.body['you']['player_id']}").status == 204
    fork = player.be(str(game.host.token)).post(f"{game.path}/forks").body
    for status in ("waiting", "playing", "finished"):
        assert client.get(f"/v1/games?status={status}&limit=2").status == 200
    assert all(event["text"] for event in client.get(f"{game.path}/events?lang=ru").body["events"])
    history = game.host.get(f"{game.path}/events").body["events"]
    assert {"controller_changed", "player_left"} <= {event["type"] for event in history}
    assert game.host.delete(game.path).status == 204  # and its streams end
    assert finished(client).host.delete(f"/v1/games/{fork['game']['id']}").status == 401
    maker, kept = client.be(fork["token"]), {"client_data": {"any": ["thing", None]}}
    assert maker.patch(f"/v1/games/{fork['game']['id']}", kept).body["client_data"] == kept["client_data"]
    joined = client.post(f"/v1/games/{fork['game']['id']}/players", {"name": "Ada"} | kept).body
    mine = client.be(joined["token"]).patch(
        f"/v1/games/{fork['game']['id']}/players/{joined['game']['you']['player_id']}", {"client_data": 7}
    )
    assert mine.body["players"][0]["client_data"] == 7
    history = client.get(f"/v1/games/{fork['game']['id']}/events").body["events"]
    assert "client_data_changed" in {event["type"] for event in history}
    assert client.be(fork["token"]).delete(f"/v1/games/{fork['game']['id']}").status == 204
    over = finished(client)
    invited = game_with_a_guest(client)
    assert invited.host.delete(f"{invited.path}/invitations/i1").status == 204
    assert over.host.post(f"{over.path}/rematch").status == 201
    assert over.host.get(f"{over.path}/replay").status == 200
    for accept in (NDJSON, SSE):
        assert over.host.get(f"{over.path}/events/stream?after=0", Accept=accept).status == 200
    entries = [{"game_id": id_of(over.path), "token": over.players[0].token, "after": 0}]
    assert client.post("/v1/streams?lang=de", {"games": entries}).status == 200
    assert renewed_and_given_up(over.host, over.path).delete(over.path).status == 401
    match, owner = new_match(client)
    assert client.get("/v1/matches").status == client.get(match).status == client.get(f"{match}/games").status == 200
    assert owner.patch(match, {"status": "paused"}).status == 200
    assert client.post(f"{match}/games/3/crew/0").status == 404
    assert owner.patch(match, {"status": "cancelled"}).status == 200
    for accept in (NDJSON, SSE):
        assert client.get(f"{match}/stream", Accept=accept).status == 200
    for file in ("games.ndjson", "games.csv"):
        assert client.get(f"{match}/{file}").status == 200
    other, owner_of_other = new_match(client)
    assert owner_of_other.delete(other).status == 204
    assert renewed_and_given_up(owner, match).delete(match).status == 401
    keep_a_bot(client)
    assert {(method, path) for method, path, _ in operations()} - asked == set()


def keep_a_bot(client: Client) -> None:
    """Do all that owners of bots do."""
    bot = registered(client)
    assert client.get(bot.path).status == bot.patch(bot.path, {"paused": False}).status == 200
    new_game(client, [bot.seat] * 3)
    assert bot.get(f"{bot.path}/games").body["games"]
    (decision,) = bot.get(f"{bot.path}/decisions?wait=20").body["decisions"]
    for move in ({"type": "dance"}, bare(decision["state"]["legal_moves"][0])):
        answers = [{"id": decision["id"], "moves": [move]}]
        assert bot.post(f"{bot.path}/answers", {"answers": answers}).status == 200
    renewed = bot.be(bot.post(f"{bot.path}/token").body["token"])
    assert renewed.delete(bot.path).status == 204


def game_with_a_guest(client: Client) -> Seated:
    """A game that somebody has joined by an invitation."""
    game = new_game(client, ["open", "sailor", "open"], start=False)
    invitation = game.host.post(f"{game.path}/invitations", {"seat": 1}).body["token"]
    assert client.post(f"{game.path}/players", {"name": "Cleo", "invitation": invitation}).status == 201
    assert game.host.get(f"{game.path}/invitations").body["invitations"][0]["status"] == "used"
    assert client.get(f"{game.path}/events?kinds=all").body["events"][3]["type"] == "invitation_made"
    return game


def refused_invitations(client: Client) -> Iterator[Reply]:
    game = game_with_a_guest(client)
    players, invitations = f"{game.path}/players", f"{game.path}/invitations"
    given = [game.host.post(invitations, {}).body for _ in range(31)]
    yield game.host.post(invitations, {})
    yield game.host.post(invitations, {})
    yield client.post(players, {"name": "Dora", "invitation": "rn_none"})
    game.host.delete(f"{invitations}/{given[0]['invitation']['id']}")
    game.host.delete(f"{game.path}/players/p1")
    yield client.post(players, {"name": "Dora", "invitation": given[0]["token"]})
    yield client.post(players, {"name": "Dora", "invitation": given[1]["token"]})
    yield client.post(players, {"name": "Ezra", "invitation": given[1]["token"]})


def renewed_and_given_up(holder: Client, path: str) -> Client:
    """Whoever has the token that took the place of another, and is worth as little by now."""
    renewed = holder.be(holder.post(f"{path}/token").body["token"])
    assert renewed.delete(f"{path}/token").status == 204
    return renewed


def refusals(client: Strict) -> Iterator[Reply]:
    """A request refused for each reason that there is on a service that is well and has no limits."""
    waiting, under_way, over = new_game(client, start=False), new_game(client), finished(client)
    private = client.post("/v1/games", {"visibility": "private"}).body
    lobby, host = f"/v1/games/{private['game']['id']}", client.be(private["token"])
    decider = under_way.decider()
    other = next(player for player in under_way.players if player is not decider)
    seat = under_way.state["decision"]["seat"]
    move = decider.get(f"{under_way.path}/legal-moves").body["legal_moves"][0]
    yield client.post("/v1/games", b"{", Content_Type="application/json")
    yield client.post("/v1/games", {}, Idempotency_Key="k" * 201)
    yield client.post("/v1/games", {}, Idempotency_Key="k" * 19)
    yield client.play(under_way.path, move)
    yield client.be("rn_wrong").get(under_way.path)
    yield other.delete(under_way.path)
    yield other.play(under_way.path, move)
    yield client.get(lobby)
    assert host.patch(lobby, {"advice": False}).body["advice"] is False
    yield host.get(f"{lobby}/odds")
    yield decider.post(f"{under_way.path}/moves", {"moves": [move], "version": 1})
    yield decider.play(under_way.path, move, If_Match='"1-all"')
    yield decider.play(under_way.path, {"type": "done"})
    yield decider.preview(under_way.path, {"type": "dance"})
    yield waiting.players[0].play(waiting.path, move)
    yield over.players[0].play(over.path, move)
    yield over.host.delete(f"{over.path}/players/p1")
    yield under_way.host.get(f"{under_way.path}/replay")
    yield under_way.host.post(f"{under_way.path}/forks", {"dice": "same"})
    yield under_way.host.post(f"{under_way.path}/start")
    yield host.post(f"{lobby}/start")
    yield host.put(f"{lobby}/seats/0/controller", {"kind": "player"})
    yield host.put(f"{lobby}/seats/7/controller", {"kind": "player"})
    yield host.put(f"{lobby}/seats/0/controller", {"kind": "bot"})
    yield host.post(f"{lobby}/players", {"name": "Ada", "seat": 1}, Idempotency_Key="join" * 5)
    yield host.post(f"{lobby}/players", {"name": "Bert"}, Idempotency_Key="join" * 5)
    yield host.post(f"{lobby}/players", {"name": "Bert", "seat": 1})
    yield client.post("/v1/games", {"seats": ["open"] * 3, "rules": {"gnomes": 4}})
    yield client.post("/v1/games", {"position": {"ghost": 61}})
    yield client.post("/v1/games", {"name": "x" * 70_000})
    yield client.post("/v1/games", b"seats=3", Content_Type="application/x-www-form-urlencoded")
    yield client.get("/v1/games?limit=0")
    yield client.get("/v1/games?cursor=none")
    yield client.get(f"/v1/games?cursor={'x' * 5000}")
    yield client.get("/v1/bots", X_Long="x" * 10_000)
    yield client.get(f"{under_way.path}/events", Accept="text/csv")
    assert over.host.delete(f"{over.path}/token").status == 204
    yield over.host.get(over.path)
    match, owner = new_match(client)
    yield client.get(match, Accept="text/csv")
    yield client.post("/v1/matches", {"games": 0})
    yield client.get("/v1/matches/aaaaaaaaaaaaaaaa")
    yield client.delete(match)
    assert owner.patch(match, {"status": "cancelled"}).status == 200
    yield owner.patch(match, {"status": "running"})
    assert decider.put(f"{under_way.path}/seats/{seat}/controller", {"kind": "bot", "bot": "sailor"}).status == 200
    yield decider.play(under_way.path, move)
    yield from refused_invitations(client)
    bot = registered(client)
    yield client.post("/v1/bots", {"name": bot.name})
    yield client.get("/v1/bots/captain")
    yield client.delete(bot.path)
    yield bot.be("rn_wrong").delete(bot.path)


def test_every_refusal_keeps_the_contract(strict: Strict, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {reply.body["code"] for reply in refusals(strict) if reply.status >= 400}
    troubled = set(troubles(strict, redis_url, monkeypatch))
    assert CODES.keys() - told - troubled == {"method_not_allowed"}


def troubles(api: Client, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The codes of a service with limits, with API keys, with a fault, and without its store."""
    few = {"poll": Limit(1, 3600), "create": Limit(1, 3600)}
    yield from codes(Config(redis_url, limits=few), ("GET", "/v1/bots"), ("GET", "/v1/games"))
    yield from codes(Config(redis_url, limits={}, api_keys={"0" * 64: "nobody"}), ("POST", "/v1/games"))
    closed = Config(redis_url, limits={}, bot_accounts=CLOSED)
    yield from codes(closed, ("POST", "/v1/bots"), body={"name": "deepgnome"})
    game = new_game(api).path
    yield from codes(Config(redis_url, limits={}, streams=0), ("GET", f"{game}/events/stream"), Accept=NDJSON)
    yield from codes(Config("redis://127.0.0.1:1", limits={}), ("GET", "/v1/games"), ("POST", "/v1/games"))
    yield from codes(Config(redis_url, limits={"work": Limit(1, 3600)}), *[("POST", f"{game}/forks")] * 2, body={})
    yield from codes(Config(redis_url, limits={}, games_per_caller=1), *[("POST", "/v1/games")] * 2, body={})
    redis.Redis.from_url(redis_url).hset(f"game:{game.rpartition('/')[2]}", "layout", 99)
    yield from codes(Config(redis_url, limits={}), ("GET", game))
    yield from codes(Config(redis_url, limits={}, wait_replicas=1, wait_ms=1), ("POST", "/v1/games"))
    yield from codes(Config(redis_url, limits={}), ("POST", f"{odd_match(api, redis_url)}/games/3/crew/0"))
    with running_redis() as alone:
        redis.Redis.from_url(alone).config_set("min-replicas-to-write", 1)
        yield from codes(Config(alone, limits={}), ("GET", "/v1/games"), ("POST", "/v1/games"))
    crowded = Door(Config(address_waits=0), places=0)
    crowded.open = 1
    guest = {GUEST: Guest(crowded, "somebody")}
    free = Config(redis_url, limits={})
    game = new_game(api).path
    yield from codes(free, ("GET", f"{game}/events/stream"), environ=guest, Accept=NDJSON)
    yield from codes(free, ("GET", f"{game}?after=99&wait=1"), environ=guest)
    yield from at_the_door(redis_url)
    with running_redis() as full:
        redis.Redis.from_url(full).config_set("maxmemory", 1)
        yield from codes(Config(full, limits={}), ("GET", "/v1/games"), ("POST", "/v1/games"))
    with monkeypatch.context() as patch:
        patch.setattr("service.queue.pressure.seconds_behind", lambda *_: 99.0)
        yield from codes(Config(redis_url, limits={}), ("POST", "/v1/games"), body={"seats": ["sailor"] * 3})
    with monkeypatch.context() as patch:
        patch.setattr("service.api.games.list_games", lambda *_, **__: 1 // 0)
        yield from codes(Config(redis_url, limits={}), ("GET", "/v1/games"))


def at_the_door(redis_url: str) -> Iterator[str]:
    """Of those whose requests come slowly, or are too many."""
    limits = UNLIMITED | {"CONNECTIONS_PER_ADDRESS": "1", "BODY_SECONDS": "1"}
    with running_web(redis_url, workers=1, **limits) as web, connection(web.base) as client:
        client.sendall(head("POST", "/v1/games", Content_Length=9))
        for told in (*ask(web.base), answer(client)):
            reply = Reply(told.status, told.json, told.headers)
            check("POST", "/v1/games", reply)
            yield reply.body["code"]


def odd_match(api: Client, redis_url: str) -> str:
    """Whose first game was played by another release."""
    path, owner = new_match(api)
    assert owner.patch(path, {"status": "cancelled"}).status == 200
    store = redis.Redis.from_url(redis_url)
    store.setrange(f"match:{id_of(path)}:games:0:0", 0, "\1")
    store.hset(f"match:{id_of(path)}:odd", "0:0:0", "It was otherwise.")
    return path


def codes(
    config: Config, *requests: tuple[str, str], body: Any = None, environ: Wire | None = None, **headers: str
) -> Iterator[str]:
    client = create_app(config).test_client()
    for method, path in requests:
        told = client.open(path, method=method, headers=headers, json=body, environ_overrides=environ)
        names = {name.lower(): value for name, value in told.headers.items()}
        reply = Reply(told.status_code, told.get_json(), names)
        check(method, path, reply)
        if reply.status >= 400:
            yield reply.body["code"]


def test_what_we_told_with_a_move_may_be_sent_back_but_not_made_up(strict: Strict) -> None:
    game = new_game(strict)
    player, move = game.decider(), {"type": "no_action"}
    made_up: list[Wire] = [{"cost": "1"}, {"cost": 61}, {"chance": {}}, {"chance": True}]
    for told in made_up:
        (name,) = told
        refused(player.play(game.path, move | told), "invalid", f"/moves/0/{name}")
    legal = player.get(f"{game.path}/legal-moves").body["legal_moves"][-1]
    assert player.play(game.path, legal).status == 200
