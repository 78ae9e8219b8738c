"""Use, draw, give and lose items (§1, §4, §5)."""

from engine.cards import ITEM_COUNT, ITEMS
from engine.compiled.dice import below, next_scripted
from engine.compiled.jit import jit
from engine.compiled.journal import log
from engine.compiled.state import Cells, Journal, State
from engine.enums import CHARM_ICONS, MAX_INTOXICATION, Item, Purpose, Script
from engine.rows import Deck, Row

COFFEE_SOBERS = 2


@jit
def size(pile: Cells) -> int:
    total = 0
    for card in range(len(pile)):
        total += pile[card]
    return total


@jit
def hand_size(state: State, seat: int) -> int:
    return size(state.hand[seat])


@jit
def drink_grog(state: State, seat: int) -> None:
    """Intoxication rises by one, to four at most (§1)."""
    if state.intoxication[seat] < MAX_INTOXICATION:
        state.intoxication[seat] += 1


@jit
def use_item(state: State, item: int, journal: Journal) -> None:
    """A used item lies on the discards at once and works for the rest of the turn (§1). Caller guarantees legality."""
    seat = state.active
    state.hand[seat, item] -= 1
    state.item_discard[item] += 1
    state.used[item] += 1
    if item == Item.GROG:
        drink_grog(state, seat)
    elif item == Item.COFFEE:
        state.intoxication[seat] = max(0, state.intoxication[seat] - COFFEE_SOBERS)
    log(journal, Row.ITEM_USED, seat, item, state.intoxication[seat], 0)


@jit
def charms_left(state: State) -> int:
    """Count the event icons that the lucky charms used this turn still cancel (§1)."""
    return CHARM_ICONS * state.used[Item.LUCKY_CHARM] - state.icons_ignored


@jit
def discard(state: State, seat: int, item: int, count: int, reason: int, journal: Journal) -> None:
    state.hand[seat, item] -= count
    state.item_discard[item] += count
    log(journal, Row.ITEMS_DISCARDED, seat, item, count, reason)


@jit
def discard_hand(state: State, seat: int, reason: int, journal: Journal) -> None:
    for item in range(ITEMS):
        if state.hand[seat, item] > 0:
            discard(state, seat, item, state.hand[seat, item], reason, journal)


@jit
def items_to_draw(state: State) -> int:
    """Count the cards that can still be drawn: deck and discards (§6)."""
    return size(state.item_deck) + size(state.item_discard)


@jit
def move_pile(source: Cells, target: Cells) -> None:
    for card in range(len(source)):
        target[card] += source[card]
        source[card] = 0


@jit
def pick(state: State, pile: Cells, left: int, purpose: int) -> int:
    """Pick a random card from a pile of that many, as decks have no order (§2). Caller guarantees that there is one."""
    card = -1
    behind = below(state, purpose, left)
    while behind >= 0:
        card += 1
        behind -= pile[card]
    return card


@jit
def pick_item(state: State, left: int) -> int:
    """Pick a random item of the deck, or the one that a script names, if deck or discards have it."""
    if state.script_left[Script.ITEMS] > 0:
        item = next_scripted(state, state.script_items, Script.ITEMS)
        if state.item_deck[item] > 0:
            return item
        if state.item_discard[item] > 0:
            state.item_discard[item] -= 1
            state.item_deck[item] += 1
            return item
    return pick(state, state.item_deck, left, Purpose.ITEM_CARD)


@jit
def draw_item(state: State, seat: int, source: int, journal: Journal) -> None:
    """Draw an item. An empty deck takes its discards back; without any, nothing is drawn (§6)."""
    left = size(state.item_deck)
    if left == 0:
        left = size(state.item_discard)
        if left == 0:
            return
        move_pile(state.item_discard, state.item_deck)
        log(journal, Row.DECK_RESHUFFLED, Deck.ITEMS, 0, 0, 0)
    item = pick_item(state, left)
    state.item_deck[item] -= 1
    state.hand[seat, item] += 1
    log(journal, Row.ITEM_DRAWN, seat, item, source, 0)


@jit
def give_item(state: State, giver: int, taker: int, item: int, journal: Journal) -> None:
    state.hand[giver, item] -= 1
    state.hand[taker, item] += 1
    log(journal, Row.ITEM_GIVEN, giver, taker, item, 0)


@jit
def take_hand(state: State, winner: int, loser: int, journal: Journal) -> None:
    """The winner of a fight takes all that the loser held (§5)."""
    for item in range(ITEMS):
        for _ in range(state.hand[loser, item]):
            give_item(state, loser, winner, item, journal)


@jit
def fill_item_deck(state: State) -> None:
    """The deck is all items that are neither held, stashed nor discarded (§2)."""
    for item in range(ITEMS):
        state.item_deck[item] = ITEM_COUNT[item] - state.item_discard[item]
        for seat in range(state.gnomes):
            state.item_deck[item] -= state.hand[seat, item]
    state.item_deck[Item.GROG] -= state.captains_grog
