"""Deciding whether the things in a line mean an action."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.orders.lexicon import Mention
from domain.orders.order import NUMBER, Cards, One, Order, Slots


class Fit(NamedTuple):
    """``untold``: the number of the action's own things that the line leaves out. ``amount``: the number in the line.

    ``beside``: how many of the named things stand only beside the action.
    """

    untold: int
    amount: int | None
    beside: int = 0


class _Told(NamedTuple):
    """The named things so far: indices of ``single`` and of the path, cards, the amount."""

    single: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    cards: tuple[tuple[str, int | None], ...] = ()
    amount: int | None = None


def fit(order: Order, mentions: Sequence[Mention]) -> Fit | None:
    """Return how ``order`` fits the things that a line names; None if it does not."""
    slots = order.slots
    return _best(slots, mentions, _Told())


def shared(order: Order, mentions: Sequence[Mention]) -> int:
    """Count the named things that are the order's own; amounts are ignored because many orders share them."""
    slots = order.slots._replace(single=order.slots.single[: order.slots.own], amount=None)
    own = order.own
    return sum(
        [not own.isdisjoint(it.things) if it.many is None else any(_ways(slots, it, _Told())) for it in mentions]
    )


def _best(slots: Slots, mentions: Sequence[Mention], told: _Told) -> Fit | None:
    """Return the reading of the remaining mentions that leaves out the fewest things."""
    if not mentions:
        return _finished(slots, told)
    fits = [_best(slots, mentions[1:], further) for further in _ways(slots, mentions[0], told)]
    return min((it for it in fits if it is not None), default=None, key=lambda it: (it.untold, it.beside))


def _ways(slots: Slots, mention: Mention, told: _Told) -> list[_Told]:
    """Yield the readings of ``mention`` for the order."""
    ways: list[_Told] = []
    tried: set[One] = set()
    for index, one in enumerate(slots.single):
        if index not in told.single and one not in tried and _is(mention, one.kind, one.id):
            tried.add(one)
            ways.append(told._replace(single=(*told.single, index)))
    if slots.path is not None and mention.many is None:
        first = told.path[-1] + 1 if told.path else 0
        for index, stop in enumerate(slots.path.ids[first:], first):
            if (slots.path.kind, stop) in mention.things:
                ways.append(told._replace(path=(*told.path, index)))
    if slots.cards is not None:
        for kind, card in mention.things:
            if kind == slots.cards.kind and card in dict(slots.cards.counts):
                ways.append(told._replace(cards=(*told.cards, (card, mention.many))))
    number = mention.said_number
    if slots.amount is not None and number is not None and told.amount is None and slots.amount.takes(number):
        ways.append(told._replace(amount=number))
    return ways


def _is(mention: Mention, kind: str, id: str) -> bool:
    if mention.many is None:
        return (kind, id) in mention.things
    if mention.many == 1 and (kind, id) in mention.things:
        return True
    return id == str(mention.many) and any(each == kind != NUMBER for each, _ in mention.things)


def _finished(slots: Slots, told: _Told) -> Fit | None:
    """Return what the line leaves out after its last word; None if that may not be left out."""
    own = range(slots.own)
    if any(slots.single[index].extra and index not in told.single for index in own):
        return None
    if slots.here is not None and len(slots.single) - 1 in told.single and not _names_one_like(slots, told):
        return None
    untold = sum(index not in told.single for index in own)
    if slots.path is not None:
        if not _goes_along(told.path, len(slots.path.ids) - 1):
            return None
        untold += len(slots.path.ids) - len(told.path)
    if slots.cards is not None:
        if (left := _cards_untold(slots.cards, told.cards)) is None:
            return None
        untold += left
    if slots.amount is not None:
        untold += told.amount is None
    return Fit(untold, told.amount, len(told.single) - len([index for index in told.single if index in own]))


def _names_one_like(slots: Slots, told: _Told) -> bool:
    """Is one of the action's own things of the kind of ``here`` named, or does it have none?"""
    assert slots.here is not None
    kind = slots.here.kind
    places = [index for index in range(slots.own) if slots.single[index].kind == kind]
    way = slots.path is not None and slots.path.kind == kind
    return not (places or way) or bool(told.path if way else not set(places).isdisjoint(told.single))


def _goes_along(told: tuple[int, ...], end: int) -> bool:
    """With two or more places, the first must be the start and the last the end; one alone must be the end."""
    if len(told) > 1:
        return told[0] == 0 and told[-1] == end
    return told in ((), (end,))


def _cards_untold(cards: Cards, told: tuple[tuple[str, int | None], ...]) -> int | None:
    """Return how many cards the line leaves out. All named: 0. None named, or kinds without a number: the missing ones,
    if those named suffice.
    """
    if not told:
        return len(cards.counts) if cards.unsaid else None
    sums: dict[str, int] = {}
    for card, number in told:
        sums[card] = sums.get(card, 0) + (1 if number is None else number)
    if sums == dict(cards.counts):
        return 0
    if any(number is not None for _, number in told) or len(sums) < len(told):
        return None
    return len(cards.counts) if set(sums) == {card for card, _ in cards.counts} or tuple(sums) == (cards.by,) else None
