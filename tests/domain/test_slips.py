"""Orders with slips are distinguished from talk: the figures of `tests.slips`, on fewer games, and the rules one by
one.
"""

from collections import Counter

import pytest

from domain import TITLES
from domain.orders import Wish, kind_of, may_be_an_order, mended, read, stopping
from domain.orders.spelling import within
from tests.orders import positions
from tests.slips import SLIPS, SMALL_TALK, TALK, slips, small_talk

GAMES = {title: next(positions(TITLES[title], 0, every=1)) for title in TITLES}


@pytest.mark.parametrize("title", TITLES)
def test_most_slips_beside_an_order_stop_and_none_means_another(title: str) -> None:
    found = list(slips(TITLES[title], 2, 20, share=0.1))
    became = Counter(what for _, _, what in found)
    assert became["another"] == 0, [it for it in found if it[2] == "another"]
    assert became["stops"] >= SLIPS * (became["stops"] + became["skipped"])


@pytest.mark.parametrize("title", TITLES)
def test_hardly_any_small_talk_stops_a_mail_and_none_is_executed(title: str) -> None:
    kinds = small_talk(GAMES[title])
    assert len(TALK) >= 300
    assert "order" not in kinds.values()
    assert sum(kind == "broken" for kind in kinds.values()) <= SMALL_TALK * len(TALK)


@pytest.mark.parametrize(
    ("title", "line", "kind"),
    [
        ("grand_trunk", "deliver wod", "broken"),  # a name beside a right verb
        ("grand_trunk", "delivr wood", "broken"),  # a verb
        ("grand_trunk", "edn turn", "broken"),  # the first two letters are swapped
        ("grand_trunk", "end trun", "broken"),  # "trun" begins a name: Grand Trunk Jct
        ("grand_trunk", "mantenence discard Boston", "broken"),  # two slips in a long word
        ("grand_trunk", "Boston Ottawa", "broken"),  # no verb
        ("grand_trunk", "en turn", "broken"),
        ("grand_trunk", "I'll delivr wood", "broken"),
        ("grand_trunk", "Dann lifere ich Holz", "broken"),
        ("grand_trunk", "delivr wood, end turn", "broken"),  # two orders in a line
        ("grand_trunk", "maintenence", "close"),  # one word alone
        ("grand_trunk", "Zu beenden", "close"),  # a verb, but the word beside it is no part of it
        ("new_england", "No", "talk"),  # of "no proxy"
        ("grand_trunk", "I think I build Boston", "close"),  # talk with a verb and a name
        ("grand_trunk", "xeliver wood", "talk"),  # the first letter must be right
        ("grand_trunk", "Boston", "talk"),
        ("new_england", "bdi 12", "broken"),
        ("new_england", "bid twlve", "broken"),
        ("new_england", "keine Baugrnze Boston–Lowell", "broken"),  # a verb of two words, one of them small
        ("new_england", "wiat", "close"),
        ("new_england", "24.11. 18:30", "talk"),  # numbers alone
        ("new_england", "bid 12", "order"),
        ("new_england", "Thanks, and good luck!", "courtesy"),
        ("new_england", "Sorry for the delay!", "courtesy"),
        ("new_england", "Entschuldigt die Verspätung", "courtesy"),
        ("grand_trunk", "delvier wood, pls", "broken"),
        ("new_england", "// bdi 12", "courtesy"),
        ("ticket_to_ride", "drwa card", "broken"),
        ("ticket_to_ride", "claim Bostn Miami with 2 red", "broken"),  # one of its names
        ("new_england", "proxy Boston–Lowel $12", "order"),  # it begins a name
        ("new_england", "proxy Boston–Lowlel $12", "broken"),
    ],
)
def test_each_line_gets_its_kind(title: str, line: str, kind: str) -> None:
    assert kind_of(line, GAMES[title].tongue) == kind


def test_a_beginning_that_may_be_a_slip_is_doubtful() -> None:
    known = GAMES["ticket_to_ride"].tongue.spelling
    assert known.is_doubtful("blac")  # "black", or "blau"
    assert not known.is_doubtful("orang")
    assert not known.is_doubtful("loc")  # "Lok" is the same as a locomotive


def test_names_of_people_are_no_slips() -> None:
    tongue = GAMES["new_england"].tongue
    assert kind_of("Bidd", tongue) == "close"
    assert kind_of("Bidd", tongue, frozenset({"bidd"})) == "courtesy"
    assert mended("bidd 12", tongue, frozenset({"bidd"})) == []


def test_a_corrected_line_keeps_its_signs_and_offers_losses_last() -> None:
    assert mended("Delivr Wod!", GAMES["grand_trunk"].tongue) == ["deliver wood!"]
    assert mended("kople Gedekter Guterwagen ab", GAMES["grand_trunk"].tongue) == ["kopple Gedeckter Guterwagen ab"]
    assert mended("dupm wood", GAMES["grand_trunk"].tongue) == ["dump wood"]


@pytest.mark.parametrize(
    ("kinds", "stops"),
    [
        ("order talk order", [1]),
        ("talk order talk", []),
        ("order courtesy order", []),
        ("close order close", [0, 2]),
        ("order courtesy close", []),
        ("broken", [0]),
        ("broken talk talk order", [0]),
        ("close talk", []),
    ],
)
def test_broken_and_close_lines_stop_a_mail(kinds: str, stops: list[int]) -> None:
    assert stopping(kinds.split()) == stops  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "right", "slips"),
    [
        ("wod", "wood", 1),
        ("wooood", "wood", 2),
        ("owod", "wood", 1),
        ("end", "end", 0),
        ("edn", "end", 1),
        ("e", "end", 2),
    ],
)
def test_the_distance_of_two_words_counts_slips(word: str, right: str, slips: int) -> None:
    assert within(word, right, slips)
    assert not slips or not within(word, right, slips - 1)


NO_NAMES = (
    "Name your price", "NAME YOUR PRICE", "Name it", "Name one good Reason", "Name: Ada Lovelace", "My name is Ada",
    "name calling helps nobody", "Name the Town", "Name Ada?", "Name Schall und Rauch ist", "join as soon as you can",
    "Join as Well", "Name?", "Name 3 Cities", "Call me Ada", "Name of the Game", "Mein Name Ada", "Names Ada",
)  # fmt: skip


@pytest.mark.parametrize("title", TITLES)
def test_small_talk_sets_no_name(title: str) -> None:
    tongue = GAMES[title].tongue
    for line in (*TALK, *NO_NAMES):
        found = read(line, (), tongue, in_letter=True)
        assert not (isinstance(found, Wish) and found.text and found.word in ("name", "join")), line


@pytest.mark.parametrize("line", ["name Ada", "Name Ada von Berg", "name Jean-Luc O'Neill!", "name 阿达", "NAME ADA"])
def test_every_title_reads_a_name(line: str) -> None:
    for it in GAMES.values():
        assert isinstance(read(line, (), it.tongue, in_letter=True), Wish)
        assert kind_of(line, it.tongue) == "order"


LOOKS = ("pictures_off", "pictures_on", "short_receipts", "long_receipts", "tips_off", "tips_on")
NO_SWITCHES = (
    "The pictures on the board are nice", "pictures on the board", "Pictures", "Bilder", "Bilder an die Wand",
    "turn on", "no", "long", "receipt", "short", "Go on", "Kommt noch an", "Short receipts are nice",
)  # fmt: skip


@pytest.mark.parametrize("title", TITLES)
def test_small_talk_does_not_change_the_look_of_letters(title: str) -> None:
    tongue = GAMES[title].tongue
    for line in (*TALK, *NO_SWITCHES):
        found = read(line, (), tongue, in_letter=True)
        assert not (isinstance(found, Wish) and found.word in LOOKS), line
    assert {kind_of(line, tongue) for line in NO_SWITCHES} <= {"talk", "courtesy", "close"}


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("pictures off", "pictures_off"),
        ("Turn the pictures off, please.", "pictures_off"),
        ("Bilder aus", "pictures_off"),
        ("pictures on", "pictures_on"),
        ("Bitte Bilder an!", "pictures_on"),
        ("Tips off", "tips_off"),
        ("hints off, please", "tips_off"),
        ("Keine Tipps mehr", "tips_off"),
        ("Bitte Tipps an!", "tips_on"),
        ("Short receipts", "short_receipts"),
        ("lange Quittungen, danke", "long_receipts"),
    ],
)
def test_every_title_reads_orders_about_the_look_of_letters(line: str, word: str) -> None:
    for it in GAMES.values():
        assert read(line, (), it.tongue, in_letter=True) == Wish(word, "")
        assert kind_of(line, it.tongue) == "order"
        assert may_be_an_order(line, it.tongue)
        assert not any(
            may_be_an_order(talk, it.tongue) for talk in ("Go on", "pictures on the wall", "Bilder an der Wand")
        )
