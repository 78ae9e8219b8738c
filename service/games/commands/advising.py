"""Let the host say whether advice and odds are given: some crews want to find out by themselves."""

from service.games.apply import advance
from service.games.events import AdviceChanged
from service.games.model import FINISHED, Moment, Progress, Table, Viewer
from service.games.viewers import need_host
from service.refusals import Problem


def allow(table: Table, viewer: Viewer, allowed: bool, at: Moment) -> Progress:
    """Give advice and odds from now on, or do not. It is no progress where it is so already."""
    need_host(viewer)
    if allowed == table.lobby.advice:
        return Progress.none(table)
    if table.status == FINISHED:
        raise Problem("game_over", "Nobody needs advice any more, and odds are told.")
    return advance(table, at, AdviceChanged(allowed))


def need_advice(table: Table) -> None:
    """Refuse advice and odds where the host wants none. Once the game is over its odds give nothing away."""
    if not table.lobby.advice and table.status != FINISHED:
        raise Problem("advice_off", "The host wants neither advice nor odds in this game.", version=table.version)
