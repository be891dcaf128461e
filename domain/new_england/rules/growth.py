"""NER 7 to 9: growth, completion, future links."""

from domain.chance import Bag
from domain.new_england import events as happened
from domain.new_england.board import GROWTH_CARDS
from domain.new_england.course import Course
from domain.new_england.rules.ending import test_the_end
from domain.new_england.state import COMPLETION


def grow(course: Course) -> None:
    """NER 7.1 One growth card is turned over for each link in the current row."""
    for _ in course.state.row:
        if not course.state.growth_deck:
            return  # NER 7.4: there is no reshuffle
        card = course.chance.draw("NER 7.1 growth deck", course.state.growth_deck)[0]
        course.happen(happened.GrowthCardTurned(card, _cubes_for(course, card)))


def _cubes_for(course: Course, card: str) -> tuple[tuple[str, str | None], ...]:
    """NER 7.2 Each city named gets a cube from the cup. NER 7.3 When the cup is empty, it gets nothing."""
    cup, cubes = dict(course.state.cup), []
    for city in GROWTH_CARDS[card].cities:
        colour = None
        if any(cup.values()):
            colour = course.chance.draw("NER 7.2 cup", Bag(cup))[0]
            cup[colour] -= 1
        cubes.append((city, colour))
    return tuple(cubes)


def complete_links(course: Course) -> None:
    """NER 8.1 Every bought link that is not yet built becomes built, without a roll and without payment."""
    for link, owner in course.state.owners.items():
        if link not in course.state.built:
            course.happen(happened.LinkBuilt(link, owner, "completion"))
    test_the_end(course, COMPLETION)


def lay_future_row(course: Course) -> None:
    """NER 9.1 A link card for each link in the current row. NER 9.2 As many as there are, if the deck is too short."""
    state = course.state
    count = min(len(state.row), len(state.link_deck))
    if count:
        course.happen(happened.FutureRowLaid(tuple(course.chance.draw("NER 9.1 link deck", state.link_deck, count))))
