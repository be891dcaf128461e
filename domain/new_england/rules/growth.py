"""NER 7 to 9: growth, completion, future links."""

from domain.chance import Bag
from domain.new_england import events as happened
from domain.new_england.board import GROWTH_CARDS
from domain.new_england.now import Now
from domain.new_england.rules.ending import test_the_end
from domain.new_england.state import COMPLETION


def grow(now: Now) -> None:
    """NER 7.1 Turn over one growth card for each link in the current row."""
    for _ in now.state.row:
        if not now.state.growth_deck:
            return  # NER 7.4: there is no reshuffle
        card = now.chance.draw("NER 7.1 growth deck", now.state.growth_deck)[0]
        now.happens(happened.GrowthCardTurned(card, _cubes_for(now, card)))


def _cubes_for(now: Now, card: str) -> tuple[tuple[str, str | None], ...]:
    """NER 7.2 Each named city gets a cube from the cup. NER 7.3 When the cup is empty, it gets nothing."""
    cup, cubes = dict(now.state.cup), []
    for city in GROWTH_CARDS[card].cities:
        colour = None
        if any(cup.values()):
            colour = now.chance.draw("NER 7.2 cup", Bag(cup))[0]
            cup[colour] -= 1
        cubes.append((city, colour))
    return tuple(cubes)


def complete_links(now: Now) -> None:
    """NER 8.1 Build every bought link that is not yet built, without a roll and without payment."""
    for link, owner in now.state.owners.items():
        if link not in now.state.built:
            now.happens(happened.LinkBuilt(link, owner, "completion"))
    test_the_end(now, COMPLETION)


def lay_future_row(now: Now) -> None:
    """NER 9.1 Lay out a link card for each link in the current row. NER 9.2 If the deck is too short, lay out all of
    it.
    """
    state = now.state
    count = min(len(state.row), len(state.link_deck))
    if count:
        now.happens(happened.FutureRowLaid(tuple(now.chance.draw("NER 9.1 link deck", state.link_deck, count))))
