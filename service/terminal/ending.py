"""Tell how a game ended: the result, and whether its dice were those that were promised."""

from engine import GameError
from engine.rules import RULES_VERSION
from engine.verify import verify
from red_november_client.blocking import Client
from red_november_client.errors import Refused, Unreachable
from service.terminal.screen import Screen
from service.terminal.speech import Speech
from service.wire import Wire
from service.words.catalogue import Catalogue


def show_end(
    screen: Screen, client: Client, state: Wire, promise: str | None, speech: Speech, texts: Catalogue
) -> None:
    """Say how a game ended, and whether its dice were fair."""
    result = state["result"]
    won = result["crew"] == "rescued"
    screen.say("", texts(result["crew"]), style="bold green3" if won else "bold red")
    screen.say(speech.words.result(result, speech.names))
    ours = [result["seats"][seat] for seat in state["you"]["seats"]]
    if ours:
        screen.say(texts("you_won" if "won" in ours else "you_lost"), style="bold")
    try:
        replay = client.get(f"/games/{state['id']}/replay")
    except (Refused, Unreachable) as error:
        screen.say(texts("dice_unknown", reason=error))
        return
    screen.say(check_dice(replay, promise, texts), texts("seed", seed=replay["seed"]), style="dim")


def check_dice(replay: Wire, promise: str | None, texts: Catalogue) -> str:
    """Play the game again with this machine's engine, and say whether its dice were fair.

    The promise is the hash of the dice as this player saw it before the first move.
    """
    try:
        verify(replay)
    except GameError as error:
        if replay.get("rules_version", RULES_VERSION) < RULES_VERSION:
            return texts("dice_old", version=replay["rules_version"])
        return texts("dice_bad", reason=str(error))
    if promise is not None and promise != replay["hash"]:
        return texts("dice_bad", reason=texts("dice_other_hash"))
    return texts("dice_sandbox" if replay["sandbox"] else "dice_fair")
