"""What players do with a plan before they carry it out, in the terminal: a bot weighs it, and the others see it."""

from tests.support.answers import scene
from tests.support.serving import Client, new_game
from tests.support.terminals import PROMPT, joining, terminal


def test_a_plan_is_weighed_and_shown_to_the_others_before_it_is_done(service: Client, home: dict[str, str]) -> None:
    position = scene({"room": 5}, {"room": 5})
    game = new_game(service, ["open", "open", "sailor"], start=False, position=position)
    join = joining(service, game)
    with terminal(*join, environment=home) as shown:
        shown.expect(PROMPT)
        shown.enter("8")
        shown.expect("What there?")
        shown.enter("1")
        shown.expect("Do it? (y/n) ")
        shown.enter("a")
        assert "Yours " in shown.expect("Do it? (y/n) ")
        shown.enter("t")
        assert "The others see your plan for a minute." in shown.expect("Do it? (y/n) ")
        (signal,) = game.players[1].get(f"{game.path}/signals").body["signals"]
        assert [move["type"] for move in signal["moves"]] == ["open_hatch", "enter"]
        wanted = {"points_at": {"type": "room", "room": 4}}
        assert game.players[1].call("PUT", f"{game.path}/seats/1/signal", wanted).status == 200
        shown.expect("points at")
        assert game.state["gnomes"][0]["room"] == 5
