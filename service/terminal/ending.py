"""How a game ended: the result, and whether its dice were those that were promised."""

from engine.errors import GameError
from engine.verify import verify
from service.terminal.client import Client, Refused, Unreachable, Wire
from service.terminal.screen import Screen
from service.terminal.speech import Speech
from service.terminal.texts import Texts


def tell_end(screen: Screen, client: Client, state: Wire, promise: str | None, speech: Speech, texts: Texts) -> None:
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
    screen.say(checked(replay, promise, texts), texts("seed", seed=replay["seed"]), style="dim")


def checked(replay: Wire, promise: str | None, texts: Texts) -> str:
    """Played again here, by our own engine. The promise is the one that this player was told before the first move."""
    try:
        verify(replay)
    except GameError as error:
        return texts("dice_bad", reason=str(error))
    if promise is not None and promise != replay["hash"]:
        return texts("dice_bad", reason=texts("dice_other_hash"))
    return texts("dice_sandbox" if replay["sandbox"] else "dice_fair")
