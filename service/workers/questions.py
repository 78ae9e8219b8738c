"""Answer questions in workers: advice, the odds of a game, a game of a match to be opened, the tables of a match."""

from service.games import advice, odds
from service.games.tables import fetch
from service.matches.hosting import host
from service.matches.opening import open_game
from service.queue import waiting
from service.queue.queueing import ADVICE
from service.store.own import own_store
from service.store.store import Store


def take_question(item: str | None = None) -> None:
    """Answer the next question. A job of the release before names its own."""
    store = own_store()
    if item is not None:
        waiting.offer(store.queue, ADVICE, item, waiting.LATER, item.split(":")[1])
    taken = waiting.take(store, ADVICE)
    if taken is not None:
        with taken:
            answer(store, taken.item)


def answer(store: Store, item: str) -> None:
    kind, id_, *more = item.split(":")
    if kind == "advise":
        advice.work_out(store, id_, *more)
    elif kind == "odds":
        fill_odds(store, id_)
    elif kind == "open":
        gnomes, line_up, number = more
        open_game(id_, int(gnomes), line_up, int(number))
    elif kind == "host":
        host(id_)


def fill_odds(store: Store, game_id: str) -> None:
    table = fetch(store, game_id)
    if table is not None:
        odds.fill(store, table)
