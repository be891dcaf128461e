"""How lines are read: the rules one by one, on positions that a reader sees."""

import random
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from domain import TITLES
from domain.grand_trunk import commands as gtj
from domain.grand_trunk.board import PLACES
from domain.grand_trunk.view import RailcarView
from domain.messages import Command
from domain.new_england import commands as ner
from domain.orders import (
    Asked,
    AskedBack,
    Cannot,
    Copied,
    Found,
    Missing,
    Names,
    One,
    Option,
    Order,
    Orders,
    Reading,
    Tongue,
    Unknown,
    Unread,
    Verb,
    Wish,
    apart,
    begins_like_an_order,
    by_number,
    chosen,
    kind_of,
    read,
    write,
)
from domain.rules import Action, Span
from domain.ticket_to_ride import commands as ttr
from domain.title import Title
from domain.words import Language, Sentence, say
from tests.orders import means, positions, tongues

ALL = "the others"


class Seat:
    """A seat with its legal actions, and everything that reads its lines."""

    def __init__(self, title: str, own: dict[str, Any], *actions: Command | Action, **view: Any) -> None:
        self.title: Title = TITLES[title]
        self.view = SimpleNamespace(own=SimpleNamespace(**own), **view)
        made = [it if isinstance(it, Action) else Action(it, "", Sentence("")) for it in actions]
        self.options = self.title.face.orders.options(self.view, made)
        self.tongue = Tongue(self.title.face.orders, self.view, tongues(self.title))

    def read(self, line: str, *, in_letter: bool = True) -> Reading:
        return read(line, self.options, self.tongue, in_letter=in_letter)

    def says(self, line: str) -> Command:
        """Return the command that a line of a letter means, and nothing else."""
        found = self.read(line)
        assert isinstance(found, Found), found
        return found.command

    def lines(self, options: Any, language: int = 0) -> list[str]:
        names = self.title.face.orders.names(self.view)
        return [write(it.order, names, self.tongue.languages[language]) for it in options]

    def asks(self, line: str) -> list[str]:
        """Return the lines it could mean."""
        asked = self.read(line)
        assert isinstance(asked, Asked), asked
        return self.lines(asked.options)


# ==== positions ===================================================================================
QR = "quebec_richmond"
RAILCARS = (
    RailcarView(f"{QR}.box_car", "box_car", "wood", 1),
    RailcarView(f"{QR}.niagara", "hopper_car", "coal", 1),
    RailcarView(f"{QR}.hopper_car", "hopper_car", "coal", 2),
)


def train(*actions: Command | Action) -> Seat:
    """Return Québec & Richmond in Niagara, with wood and twice coal."""
    own = {
        "company": QR,
        "place": "niagara",
        "railcars": RAILCARS,
        "spur": f"{QR}.gondola",
        "improvements": (),
        "day": 0,
    }
    places = [SimpleNamespace(id=it, demand=(), port=False, steel=0) for it in PLACES]
    return Seat("grand_trunk", own, *actions, places=places, contracts=())


def card(name: str) -> str:
    return f"{QR}.{name}"


def move(place: str, by: str, **extra: Any) -> gtj.MoveTrain:
    return gtj.MoveTrain(card(by), place, **extra)


def days(command: Command, number: int) -> Action:
    return Action(command, "", Sentence("{days}", {"days": number}))


WAY = card("peterborough")
MOVES = (
    days(move("ottawa", "ottawa"), 3), days(move("ottawa", "grand_trunk_jct"), 4),
    days(move("ottawa", "ottawa", decline_fast=True), 4), days(move("ottawa", "ottawa", right_of_way=WAY), 2),
    days(move("boston", "boston"), 4), days(move("portland", "port_1"), 2), days(move("portland", "port_2"), 2),
    days(move("peterborough", "peterborough"), 2), days(move("white_river_jct", "white_river_jct"), 4),
)  # fmt: skip


def hand(*actions: Command | Action, offered: tuple[str, ...] = (), **cards: int) -> Seat:
    kinds = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red", "locomotive")
    private = SimpleNamespace(hand={kind: cards.get(kind, 0) for kind in kinds}, offered=offered)
    return Seat("ticket_to_ride", {"private": private}, *actions)


def claim(route: str, *pay: str, wasteful: bool = False) -> Action:
    return Action(ttr.ClaimRoute(route, pay), "", Sentence(""), aside=wasteful)


def company(*actions: Command | Action, **view: Any) -> Seat:
    return Seat("new_england", {}, *actions, lot=SimpleNamespace(link="boston__lowell"), **view)


def span(command: Command, field: str, low: int, high: int, step: int = 1) -> Action:
    return Action(command, "", Sentence(""), Span(field, low, high, step))


BID = span(ner.PlaceBid("boston__lowell", 3), "amount", 3, 40)


# ==== 1. folding ==================================================================================
@pytest.mark.parametrize(
    "line",
    [
        "move Ottawa with Ottawa Flat Car",
        "MOVE OTTAWA WITH OTTAWA FLAT CAR",
        "move: Ottawa — with “Ottawa (Flat Car)”!",
        "  Move…Ottawa,Ottawa flat-car.  ",
        "move Ottawa with Ottawa Flat Car  # it is near",
        "go to Ottawa by Ottawa Flat Car //x",
        "fahre Ottawa mit Ottawa Flachwagen",
        "Fahre nach Ottawa mit dem Ottawa Flachwagen, bitte",
        "fahre Ottawa with Ottawa Flat Car",
        "nach Ottawa mit Ottawa Flachwagen fahren",
        "move Ottawa with Ottawa: 3 days",
        "move from Niagara to Ottawa with Ottawa Flat Car",
        "then move to Ottawa with Ottawa Flat Car, thanks",
        "und dann fahre den Zug nach Ottawa mit dem Ottawa Flachwagen",
    ],
)
def test_case_marks_filling_words_and_language_do_not_matter(line):
    assert train(*MOVES).says(line) == move("ottawa", "ottawa")


@pytest.mark.parametrize(
    "line",
    [
        "uncouple Box Car",
        "kopple Gedeckter Güterwagen ab",
        "kopple gedeckten Gueterwagen ab",
        "Gedeckten Gu\u0308terwagen abkoppeln",
        "KOPPLE DEN GEDECKTEN GÜTERWAGEN AB",
        "kopple gedeckten Guterwagen ab",
        "drop the box car",
        "detach Box Car",
    ],
)
def test_an_umlaut_is_written_three_ways_and_endings_do_not_count(line):
    assert train(gtj.UncoupleRailcar(card("box_car"))).says(line) == gtj.UncoupleRailcar(card("box_car"))


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("move Montreal with Port 1", "montreal_griffintown"),
        ("move MONTRÉAL-GRIFFINTOWN with Port", "montreal_griffintown"),
        ("move White River Junction with White River", "white_river_jct"),
    ],
)
def test_names_are_read_without_marks_abbreviated_or_by_their_first_words(line, place):
    seat = train(*MOVES, move("montreal_griffintown", "port_1"))
    command = seat.says(line)
    assert isinstance(command, gtj.MoveTrain)
    assert command.to == place


@pytest.mark.parametrize("line", ["", "   ", "# only a remark", "// so", "…"])
def test_a_blank_line_and_a_remark_mean_nothing(line):
    assert train(*MOVES).read(line) == Missing()


# ==== 2. verbs ====================================================================================
LOADING = (gtj.LoadGood(card("box_car"), "coal"), gtj.DeliverGood(card("hopper_car")))


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("lade Kohle", LOADING[0]),
        ("lade Kohle auf", LOADING[0]),
        ("Kohle laden", LOADING[0]),
        ("load coal", LOADING[0]),
        ("lade Kohle ab", LOADING[1]),
        ("Kohle abladen", LOADING[1]),
        ("lade die Kohle von Schüttgutwagen ab", LOADING[1]),
        ("unload coal", LOADING[1]),
        ("drop coal off", LOADING[1]),
    ],
)
def test_a_particle_at_the_end_belongs_to_the_verb(line, command):
    assert train(*LOADING).says(line) == command


def test_filling_words_are_dropped_before_verbs_of_two_words():
    seat = hand(ttr.DrawTickets(), ttr.DrawBlindCard(), ttr.DrawFaceUpCard("red"))
    assert seat.says("draw the tickets") == ttr.DrawTickets()
    assert seat.says("ziehe die Zielkarten") == ttr.DrawTickets()
    assert seat.says("draw") == ttr.DrawBlindCard()
    assert seat.says("draw a card from the deck") == ttr.DrawBlindCard()
    assert seat.says("draw red") == ttr.DrawFaceUpCard("red")
    assert seat.says("nimm eine rote Karte") == ttr.DrawFaceUpCard("red")


def test_a_verb_that_can_lose_something_needs_its_exact_words():
    seat = train(gtj.DumpGood(card("box_car")), gtj.Pass())
    assert seat.says("dump wood") == gtj.DumpGood(card("box_car"))
    assert isinstance(seat.read("unload wood"), Cannot)
    assert isinstance(seat.read("du wood", in_letter=False), Unread)
    assert seat.read("pas", in_letter=False) == Unread()
    assert seat.read("resi", in_letter=False) == Unread()


def test_beginnings_of_verbs_are_read_only_in_the_text_box():
    seat = train(*MOVES)
    assert seat.read("mov Boston with Boston") == Unread()
    found = seat.read("mov Boston with Boston", in_letter=False)
    assert isinstance(found, Found)
    assert found.command == move("boston", "boston")


def test_the_beginning_of_several_verbs_is_asked_back():
    seat = train(gtj.CoupleRailcar(card("gondola"), "wood"), gtj.FulfilContract(card("box_car"), 4))
    assert isinstance(seat.read("co 4", in_letter=False), Asked)
    assert isinstance(seat.read("cou wood", in_letter=False), Found)


# ==== 3. words for every title ====================================================================
@pytest.mark.parametrize(
    ("line", "word", "text"),
    [
        ("look", "look", ""),
        ("zeige", "look", ""),
        ("help", "help", ""),
        ("Hilfe!", "help", ""),
        ("preview", "preview", ""),
        ("take back", "take_back", ""),
        ("undo", "take_back", ""),
        ("nimm zurück", "take_back", ""),
        ("nimm zurueck", "take_back", ""),
        ("undo all", "take_back_all", ""),
        ("agree", "agree", ""),
        ("stimme zu", "agree", ""),
        ("I agree.", "agree", ""),
        ("Ich bin einverstanden", "agree", ""),
        ("take it all back, please", "take_back_all", ""),
        ("undo my last move", "take_back", ""),
        ("mach mit", "join", ""),
        ("I resign", "resign", ""),
        ("lehne ab", "refuse", ""),
        ("vacation 1.12.-8.12.", "vacation", "1.12.-8.12."),
        ("Urlaub: 1.12. bis 8.12.", "vacation", "1.12. bis 8.12."),
        ("note Boston wants wood", "note", "Boston wants wood"),
        ("schneller", "faster", ""),
        ("langsamer", "slower", ""),
        ("resign", "resign", ""),
        ("gib auf", "resign", ""),
        ("Ich gebe auf.", "resign", ""),
        ("alles zurück", "take_back_all", ""),
        ("stop", "stop", ""),
        ("Ende", "stop", ""),
    ],
)
def test_every_title_reads_the_words_of_the_house(line, word, text):
    for seat in (train(*MOVES), hand(ttr.DrawFaceUpCard("red")), company(BID)):
        assert seat.read(line) == Wish(word, text)


# ==== 4. names ====================================================================================
def test_a_whole_name_beats_the_beginning_of_another():
    seat = train(*MOVES, gtj.CoupleRailcar(card("flat_car"), "iron"), gtj.CoupleRailcar(card("ottawa"), "iron"))
    assert seat.says("couple Flat Car with iron") == gtj.CoupleRailcar(card("flat_car"), "iron")
    assert seat.says("couple Ottawa with iron") == gtj.CoupleRailcar(card("ottawa"), "iron")
    assert seat.asks("couple iron") == ["couple Flat Car with iron", "couple Ottawa Flat Car with iron"]
    assert seat.says("move Portland with Port") == move("portland", "port_1")


def test_the_beginning_of_several_names_is_asked_back_even_if_one_alone_is_legal():
    south, west = (
        ("worcester", "springfield", *ends) for ends in (("hartford", "new_haven"), ("pittsfield", "albany"))
    )
    seat = company(ner.ShipCube("red", south), ner.ShipCube("red", west), owners={})
    assert seat.asks("ship red Worcester New") == ["ship red Worcester, Springfield, Hartford, New Haven"]
    assert seat.says("ship red Worcester New Hav") == ner.ShipCube("red", south)
    assert seat.says("ship red Worc Alba") == ner.ShipCube("red", west)
    assert seat.read("ship red Worcester Al") == Unknown("Al")


def test_a_number_is_never_read_as_a_beginning():
    seat = train(gtj.FulfilContract(card("box_car"), 1), gtj.FulfilContract(card("box_car"), 12))
    assert seat.says("contract 1") == gtj.FulfilContract(card("box_car"), 1)
    assert seat.says("Auftrag zwölf") == gtj.FulfilContract(card("box_car"), 12)
    assert isinstance(seat.read("contract 2"), Cannot)


def test_the_first_words_of_a_name_suffice():
    seat = hand(claim("denver__salt_lake_city__red", "red", "red", "red"), red=3)
    assert seat.says("claim Salt Lake Denver") == ttr.ClaimRoute("denver__salt_lake_city__red", ("red", "red", "red"))


# ==== 5. candidates ===============================================================================
def test_an_action_with_exactly_the_things_named_beats_those_that_have_more():
    discards = [(), (card("port_1"),), (card("port_2"),), (card("port_1"), card("port_2")), (card("boston"),)]
    seat = train(*map(gtj.PerformMaintenance, discards), gtj.PerformMaintenance((card("boston"), card("port_1"))))
    assert seat.says("maintenance") == gtj.PerformMaintenance()
    assert seat.says("Instandhaltung in Niagara") == gtj.PerformMaintenance()
    assert seat.says("maintenance discard Port") == gtj.PerformMaintenance((card("port_1"),))
    assert seat.says("maintenance discard Port, Port") == gtj.PerformMaintenance((card("port_1"), card("port_2")))
    assert seat.says("Instandhaltung ohne Boston") == gtj.PerformMaintenance((card("boston"),))
    assert seat.says("maintenance discard Port and Boston") == gtj.PerformMaintenance((card("boston"), card("port_1")))
    assert isinstance(seat.read("maintenance Boston"), Cannot)


def test_the_things_of_an_action_beat_its_place():
    """In Niagara "Boston, Niagara" are two cards, not one and the place."""
    boston, niagara = card("boston"), card("niagara")
    seat = train(gtj.PerformMaintenance((boston,)), gtj.PerformMaintenance((boston, niagara)))
    assert seat.says("maintenance discard Boston, Niagara") == gtj.PerformMaintenance((boston, niagara))
    assert seat.says("maintenance discard Boston") == gtj.PerformMaintenance((boston,))


def test_extras_that_are_not_named_are_not_meant():
    seat = train(
        *MOVES, gtj.BuildTerminal(card("port_1"), "ottawa"), gtj.BuildTerminal(card("port_1"), "ottawa", "discard")
    )
    assert seat.asks("move Ottawa") == ["move Ottawa with Ottawa Flat Car", "move Ottawa with Grand Trunk Jct"]
    assert seat.says("move Ottawa with Ottawa slowly") == move("ottawa", "ottawa", decline_fast=True)
    for way in ("right of way Peterborough", "Peterborough (Right of Way)", "Right of Way", "Vorfahrt"):
        assert seat.says(f"move Ottawa with Ottawa and {way}") == move("ottawa", "ottawa", right_of_way=WAY)
    assert seat.says("build Ottawa") == gtj.BuildTerminal(card("port_1"), "ottawa")
    assert seat.says("baue Ottawa Ablage") == gtj.BuildTerminal(card("port_1"), "ottawa", "discard")


def test_words_beside_the_command_must_be_right():
    seat = train(*MOVES)
    assert seat.says("move Boston 4 days") == move("boston", "boston")
    assert isinstance(seat.read("move Boston 3 days"), Cannot)
    assert isinstance(seat.read("move from Utica to Boston"), Cannot)


def test_order_matters_only_within_a_path():
    seat = train(
        gtj.PlayOverlandTransport(card("kingston"), "boston", "utica"),
        gtj.PlayOverlandTransport(card("kingston"), "utica", "boston"),
        gtj.PlayInfluenceDemand(card("new_london"), "boston", "utica"),
    )
    assert seat.says("haul Utica Boston Kingston") == gtj.PlayOverlandTransport(card("kingston"), "utica", "boston")
    assert seat.says("haul with Kingston from Boston to Utica") == gtj.PlayOverlandTransport(
        card("kingston"), "boston", "utica"
    )
    assert seat.says("swap Utica, Boston") == gtj.PlayInfluenceDemand(card("new_london"), "boston", "utica")


SHIPMENTS = (
    ner.ShipCube("red", ("boston", "worcester", "hartford")), ner.ShipCube("red", ("boston", "providence", "hartford")),
    ner.ShipCube("red", ("boston", "worcester")), ner.ShipCube("red", ("hartford", "springfield", "boston")),
        ner.SkipShipment(),
)  # fmt: skip


def test_a_path_may_omit_cities_if_only_one_path_fits():
    seat = company(*SHIPMENTS)
    assert seat.says("ship red Boston Worcester Hartford") == SHIPMENTS[0]
    assert seat.says("liefere rot von Boston über Providence nach Hartford") == SHIPMENTS[1]
    assert seat.says("ship red Boston Worcester") == SHIPMENTS[2]
    assert seat.asks("ship red Boston Hartford") == [
        "ship red Boston, Worcester, Hartford",
        "ship red Boston, Providence, Hartford",
    ]
    assert seat.says("ship red Hartford Boston") == SHIPMENTS[3]
    assert seat.says("ship red to Worcester") == SHIPMENTS[2]
    assert seat.says("ship nothing") == seat.says("liefere nichts") == ner.SkipShipment()


def test_a_number_belongs_to_the_word_after_it():
    pays = ("purple", "purple", "purple", "locomotive"), ("purple", "locomotive", "locomotive", "locomotive")
    route = "calgary__helena"
    seat = hand(claim(route, *pays[0]), claim(route, *pays[1], wasteful=True), purple=3, locomotive=3)
    assert seat.says("claim Calgary–Helena with 3 purple 1 locomotive") == ttr.ClaimRoute(route, pays[0])
    assert seat.says("nutze Helena–Calgary mit 1 lila, 3 Lokomotiven") == ttr.ClaimRoute(route, pays[1])
    assert seat.says("claim Calgary–Helena: purple, purple, loc, purple") == ttr.ClaimRoute(route, pays[0])
    assert seat.says("claim Calgary–Helena") == ttr.ClaimRoute(route, pays[0])
    assert seat.says("claim Calgary–Helena with purple") == ttr.ClaimRoute(route, pays[0])
    assert isinstance(seat.read("claim Calgary–Helena with 2 purple 2 locomotives"), Cannot)


def test_the_cards_decide_the_track_of_a_double_route():
    black, orange = "denver__kansas_city__black", "denver__kansas_city__orange"
    seat = hand(
        claim(black, *["black"] * 4),
        claim(orange, *["orange"] * 4),
        claim(black, *["locomotive"] * 4, wasteful=True),
        claim(orange, *["locomotive"] * 4, wasteful=True),
        black=4,
        orange=4,
        locomotive=4,
    )
    assert seat.says("claim Denver–Kansas City with 4 black") == ttr.ClaimRoute(black, ("black",) * 4)
    assert seat.says("claim Kansas City to Denver orange") == ttr.ClaimRoute(orange, ("orange",) * 4)
    assert len(seat.asks("claim Denver–Kansas City")) == 2
    assert len(seat.asks("claim Denver–Kansas City with 4 locomotives")) == 2
    assert seat.says("claim Denver–Kansas City black with 4 locomotives") == ttr.ClaimRoute(black, ("locomotive",) * 4)


def test_tickets_are_named_by_their_ends():
    offered = ("boston__miami", "duluth__el_paso", "denver__el_paso")
    seat = hand(*[ttr.KeepTickets(it) for it in (offered, offered[:2], offered[1:], offered[:1])], offered=offered)
    assert seat.says("keep Miami–Boston, Duluth–El Paso") == ttr.KeepTickets(offered[:2])
    assert seat.says("behalte Boston–Miami (12)") == ttr.KeepTickets(offered[:1])
    assert seat.says("keep all") == seat.says("behalte alle Zielkarten") == ttr.KeepTickets(offered)
    assert isinstance(seat.read("keep Boston–Miami (11)"), Cannot)


# ==== 6. interchangeable things ===================================================================
def test_actions_that_differ_only_in_interchangeable_things_are_one():
    seat = train(*MOVES)
    assert "move Portland with Port 1" in seat.lines(seat.options)
    assert "move Portland with Port 2" not in seat.lines(seat.options)
    assert seat.says("move Portland with Port 2") == move("portland", "port_1")
    tracks = ("atlanta__raleigh__gray_1", "atlanta__raleigh__gray_2")
    both = hand(*[claim(track, "red", "red") for track in tracks], red=2)
    assert both.lines(both.options) == ["claim Atlanta–Raleigh track 1 with 2 red"]
    assert both.says("claim Raleigh–Atlanta track 2") == both.says("claim Atlanta–Raleigh")
    assert both.says("claim Atlanta–Raleigh") == ttr.ClaimRoute(tracks[0], ("red", "red"))
    one = hand(claim(tracks[1], "red", "red"), red=2)
    assert one.says("nutze Atlanta–Raleigh Gleis 2 mit 2 rot") == ttr.ClaimRoute(tracks[1], ("red", "red"))
    assert isinstance(one.read("claim Atlanta–Raleigh track 1 with 2 red"), Cannot)


def test_an_unknown_word_is_quoted():
    assert train(*MOVES).read("move Ottawa with Otawa Flat Car") == Unknown("Otawa")
    assert train(*MOVES).read("move Boston tomorrow") == Unknown("tomorrow")
    assert train(*MOVES).read("fahre Boston mit Boston ab") == Unknown("ab")
    assert train(*MOVES).read("move Boston with St.Johns") == Unknown("St")


# ==== 7. none and several =========================================================================
def test_a_letter_refuses_the_beginning_of_a_name_that_may_be_a_slip_of_another():
    seat = hand(claim("denver__kansas_city__black", *["black"] * 4), black=4)
    assert seat.read("claim Denver–Kansas City with 4 blac") == Unknown("blac")  # "black", or "blau"?
    assert isinstance(seat.read("claim Denver–Kansas City with 4 blac", in_letter=False), Found)


def test_an_illegal_order_gets_its_rule_and_the_nearest_lines():
    seat = train(*MOVES, gtj.EndTurn())
    cannot = seat.read("move Kingston with Ottawa")
    assert isinstance(cannot, Cannot)
    assert cannot.rule == "GTJ 5.3"
    assert cannot.wished == (move("kingston", "ottawa"),)
    assert len(cannot.near) == 3
    assert "move Ottawa with Ottawa Flat Car" in seat.lines(cannot.near)
    assert seat.lines(cannot.near, 1)[0].startswith("fahre Ottawa mit ")


@pytest.mark.parametrize("title", list(TITLES))
def test_lines_are_read_before_a_game_has_begun_but_none_is_legal(title):
    tongue = Tongue(TITLES[title].face.orders, None, tongues(TITLES[title]))
    for line in ("pass", "bid 12 on Boston-Lowell", "move Ottawa", "claim Duluth-Omaha", "build Boston", "take red"):
        assert isinstance(read(line, (), tongue, in_letter=False), Cannot | Unknown | Unread)


def test_at_most_eight_candidates_are_listed():
    seat = hand(
        *[
            claim("duluth__omaha__gray_1", kind, kind)
            for kind in ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
        ],
        claim("duluth__omaha__gray_1", "locomotive", "locomotive"),
    )
    asked = seat.read("claim Duluth Omaha")
    assert isinstance(asked, Asked)
    assert (len(asked.options), asked.many) == (8, 9)


# ==== amounts and bare numbers ====================================================================
def test_an_open_amount_is_read_or_asked_for():
    seat = company(BID, ner.PassBid("boston__lowell"), span(ner.SetProxyBid("albany__rutland", 0), "maximum", 0, 1000))
    assert seat.says("bid $12") == seat.says("biete 12 Dollar auf Boston–Lowell") == ner.PlaceBid("boston__lowell", 12)
    assert seat.says("proxy Albany–Rutland $1,000") == ner.SetProxyBid("albany__rutland", 1000)
    assert seat.says("Bietauftrag Rutland–Albany 1.000") == ner.SetProxyBid("albany__rutland", 1000)
    assert seat.asks("bid") == ["bid $3 on Boston–Lowell"]
    for line in ("bid $2", "bid 41", "bid 12.50", "bid 12 13", "bid -5"):
        assert not isinstance(seat.read(line), Found), line
    assert seat.says("passe") == seat.says("pass on Boston–Lowell") == ner.PassBid("boston__lowell")


@pytest.mark.parametrize(
    ("line", "number", "amount"),
    [
        ("3", 3, None),
        (" 3. ", 3, None),
        ("[3]", 3, None),
        ("3 12", 3, 12),
        ("3: $12", 3, 12),
        ("(3", None, None),
        ("move 3", None, None),
        ("12.50", None, None),
        ("1,000", None, None),
        ("3 12 5", None, None),
        ("three", None, None),
    ],
)
def test_a_bare_number_means_a_line_an_amount_or_a_question(line, number, amount):
    said = by_number(line)
    assert (number, amount) == (None, None) if said is None else (said.number, said.amount) == (number, amount)


def test_a_bare_number_is_a_line_unless_the_letter_asks_for_an_amount():
    moves = train(*MOVES).options
    three = by_number("3")
    assert three is not None
    assert chosen(three, moves) == Found(moves[2], None, moves[2].command)
    bids = company(ner.PassBid("boston__lowell"), BID).options
    one, two, filled, dollars = (by_number(line) for line in ("1", "2", "2 12", "$12"))
    assert None not in (one, two, filled, dollars)
    assert chosen(one, bids) == AskedBack(one, bids[0])
    assert chosen(two, bids) == AskedBack(two, bids[1])
    assert chosen(filled, bids) == Found(bids[1], 12, ner.PlaceBid("boston__lowell", 12))
    assert chosen(dollars, bids) == AskedBack(dollars, None)
    for wrong in ("9", "0", "2 41", "1 12"):
        said = by_number(wrong)
        assert said is not None
        assert isinstance(chosen(said, bids), AskedBack), wrong


def test_an_offer_in_advance_does_not_make_a_bare_number_an_amount():
    aside = Action(ner.SetProxyBid("albany__rutland", 0), "", Sentence(""), Span("maximum", 0, 1000), aside=True)
    options = company(*SHIPMENTS, aside).options
    said = by_number("1")
    assert said is not None
    assert chosen(said, options) == Found(options[0], None, SHIPMENTS[0])


def test_a_copied_line_is_not_carried_out():
    assert train(*MOVES).read("[3] move Boston with Boston") == Copied("move Boston with Boston")


# ==== talk ========================================================================================
TALK = [
    "Take care, Bob", "Keep well", "Pass it on to Anna", "Look forward to it", "Move it, Bob!", "Leave it with me",
    "Take your time", "Keep up the good work", "Go easy on me", "Wait for my revenge", "Bid you farewell",
    "Stop by some day",
    "Take it or leave it", "Take two aspirin", "Take one for the team", "Passing through", "Pass on", "Go on",
    "The end", "Move on", "Couple of days off from 3 May", "Keep Boston in mind", "Leave Boston alone",
    "Double or nothing",
    "Note that I will be away", "Vacation was great", "Holidays are coming", "Undo? No way", "Help me", "I pass out",
    "Pass the salt", "Take that, Bob!", "Load of rubbish", "Ship happens", "Draw near", "Resign? Never!", "Am Ende",
    "Passe gut auf dich auf", "Lade dich gern mal ein", "Nimm's leicht", "Nimm das, Bob", "Kaufe ein A", "Zu Ende",
    "Starte durch", "Ende gut, alles gut", "Urlaub war schön", "Behalte Boston im Auge", "Warte mal", "Passt schon",
    "Zug ist abgefahren", "Gib nicht auf", "Notiert", "Fahre vorsichtig", "Mach schon", "Das passt", "Gute Reise",
]  # fmt: skip


@pytest.mark.parametrize("line", TALK)
def test_everyday_sentences_are_talk(line):
    for seat in (
        train(*MOVES, gtj.Pass(), *LOADING),
        hand(ttr.DrawFaceUpCard("red"), offered=()),
        company(BID, *SHIPMENTS),
    ):
        assert seat.read(line) == Unread()
        assert not begins_like_an_order(line, seat.tongue)


@pytest.mark.parametrize(
    "line",
    [
        "pass",
        "Pass!",
        "Pass, please",
        "passe bitte",
        "move Boston",
        "Boston fahren",
        "fahren Boston",
        "bid 12",
        "end turn",
    ],
)
def test_lines_with_orders_are_recognised(line):
    seats = (train(*MOVES, gtj.Pass()), company(BID))
    assert any(begins_like_an_order(line, seat.tongue) for seat in seats)


def test_a_line_of_many_unknown_words_is_talk():
    words = "and so I thought that it would be nice if all of us went there together some other day"
    assert train(*MOVES).read(f"move Boston {words}") == Unread()
    assert isinstance(train(*MOVES).read("move Boston if all of us go"), Unknown)


# ==== a third language ============================================================================
class Jump(Command, frozen=True):
    place: str


def test_a_language_is_added_without_code():
    orders = Orders(
        {Verb(Sentence("jump | leap"), "X 1"): (Jump,)},
        lambda view, action: Order(Sentence("jump to {place}"), {"place": One("place", action.command.place)}),
        lambda view: names,
        {Jump: (Sentence("jump to {place}"),)},
    )
    names = Names({"place": {"sea": (), "top": ()}})
    texts = {"jump | leap": "saute | hop … là", "jump to {place}": "saute à {place}", "with | to": "à"}
    english, french = (
        Language(names={"sea": "Sea", "top": "Top"}),
        Language("fr", texts, {"sea": "Mer", "top": "Sommet"}),
    )
    options = [
        Option(
            Action(Jump(place), "", Sentence("")), Order(Sentence("jump to {place}"), {"place": One("place", place)})
        )
        for place in ("sea", "top")
    ]
    assert [write(it.order, names, french) for it in options] == ["saute à Mer", "saute à Sommet"]
    for languages in ((english, french), (french, english)):
        tongue = Tongue(orders, None, languages)
        for line in ("jump Sea", "saute Mer", "saute Sea", "hop Mer là", "HOP MER LA"):
            found = read(line, options, tongue, in_letter=True)
            assert isinstance(found, Found), line
            assert found.command == Jump("sea")


# ==== as people say it ============================================================================
TURN = (
    *MOVES, gtj.EndTurn(), gtj.DeliverGood(card("box_car")), gtj.LoadGood(card("box_car"), "coal"), gtj.Pass(),
    gtj.PerformMaintenance(), gtj.PerformMaintenance((card("boston"),)),
)  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "beende den Zug", "Beende meinen Zug!", "beende bitte den Zug", "den Zug beenden", "Ich beende den Zug",
        "ich beende meinen Zug.", "Zugende", "fertig", "Ich bin fertig.", "end the turn", "end of turn", "end my turn",
        "I end my turn", "done", "Done.", "I'm done", "I am done", "finish", "Then end the turn, please",
    ],
)  # fmt: skip
def test_many_phrases_end_a_turn(line):
    assert train(*TURN).says(line) == gtj.EndTurn()


@pytest.mark.parametrize(
    "line",
    [
        "Ich biete 12", "ich biete 12 darauf", "Ich werde 12 bieten", "ich möchte 12 Dollar bieten",
        "Dann biete ich 12",
        "ich würde gern 12 bieten", "I bid 12", "I'll bid 12 on that one", "I’ll bid $12 on this one, please",
        "I will bid 12", "I'd like to bid 12", "Let me bid 12 for it", "bid 12 on that one",
    ],
)  # fmt: skip
def test_an_order_may_follow_the_word_i(line):
    seat = company(BID, ner.PassBid("boston__lowell"))
    assert seat.says(line) == ner.PlaceBid("boston__lowell", 12)
    assert begins_like_an_order(line, seat.tongue)


@pytest.mark.parametrize(
    "line",
    [
        "I'll bid 4 if nobody else does", "If nobody bids I'll bid 4", "I bid 4 unless Anna passes", "Shall I bid 4?",
        "I bid 4?", "ich biete 4, wenn niemand sonst bietet", "Wenn niemand bietet, biete ich 4",
        "Ich biete vielleicht 4", "Biete ich 4?", "I would bid 4", "I'll bid you farewell", "I pass out",
        "Ich passe auf dich auf", "I pass on that", "I'll wait for you", "Ich warte", "Ich warte hier", "I'll take it",
        "I'll leave it with you", "I agree with that", "I am going to Boston on Monday", "I'm bidding 4",
        "I go first", "I'll be back", "I won't pass", "I will not bid 12", "ich biete nicht 12",
    ],
)  # fmt: skip
def test_plans_questions_and_talk_about_oneself_are_no_orders(line):
    for seat in (company(BID, ner.PassBid("boston__lowell")), train(*TURN), hand(ttr.DrawFaceUpCard("red"))):
        assert not isinstance(seat.read(line), Found | Wish), line


@pytest.mark.parametrize(
    "line",
    [
        "1. take red", "1) take red", "2. Take red, please!", " 3)  nimm rot", "1.take red", "(1) take red",
        "1: take red", "OK take red", "Yes, take the red one", "ok, I take red", "Ja, nimm rot", "Okay: take red",
        "Please, yes, take red",
    ],
)  # fmt: skip
def test_a_list_number_or_an_assent_may_stand_before_an_order(line):
    seat = hand(ttr.DrawFaceUpCard("red"), ttr.DrawFaceUpCard("yellow"))
    assert seat.says(line) == ttr.DrawFaceUpCard("red")
    assert begins_like_an_order(line, seat.tongue)
    assert kind_of(line, seat.tongue) == "order"


def test_an_assent_may_stand_before_orders_of_several_words_in_all_titles():
    shipping = company(ner.SkipShipment(), ner.PassBid("boston__lowell"))
    for line in ("OK ship nothing", "Yes, ship nothing", "ok: ship nothing", "Ja, liefere nichts", "1. ship nothing"):
        assert shipping.says(line) == ner.SkipShipment(), line
    assert train(*TURN).says("OK, end turn") == gtj.EndTurn()
    assert company(BID).says("Yes, I'll bid 12") == ner.PlaceBid("boston__lowell", 12)


@pytest.mark.parametrize(
    "line",
    [
        "OK, wait", "Yes, wait!", "OK pass", "Ja, passe", "Okay, done", "Yes, done.", "OK", "Yes", "Ja klar",
        "Yes, move on", "OK, take care", "Yes, take your time", "Yes, ship nothing?", "OK, end of story", "Ja, gut",
        "Yes and no", "Okay, wait for me", "Yes, pass on that", "OK, ship it when you can", "1. Platz", "3. Oktober",
        "2) fine by me", "1. take care", "1) Pass it on", "Yes, undo", "OK, I agree", "1.", "OK!!!", "2 take red",
        "10:30 take red",
    ],
)  # fmt: skip
def test_talk_after_an_assent_or_a_number_is_no_order(line):
    bidding = company(BID, ner.PassBid("boston__lowell"), ner.LeaveUnbuilt("boston__lowell"), ner.SkipShipment())
    for seat in (bidding, train(*TURN), hand(ttr.DrawFaceUpCard("red"))):
        assert not isinstance(seat.read(line), Found | Wish), line


@pytest.mark.parametrize("line", ["Tickets", "tickets!", "Zielkarten", "OK, tickets", "My tickets", "Tickets, please"])
def test_a_name_alone_draws_no_tickets(line):
    seat = hand(ttr.DrawTickets(), ttr.DrawFaceUpCard("red"))
    assert not isinstance(seat.read(line), Found)
    assert not begins_like_an_order(line, seat.tongue)
    assert seat.says("draw tickets") == seat.says("nimm Zielkarten") == ttr.DrawTickets()


def test_a_line_of_several_orders_is_cut():
    assert apart("1. take red, then draw card", hand(ttr.DrawFaceUpCard("red")).tongue) == ("take red", "draw card")


def test_a_card_is_taken_by_its_everyday_name():
    seat = hand(ttr.DrawFaceUpCard("red"), ttr.DrawFaceUpCard("locomotive"), ttr.DrawBlindCard())
    for line in (
        "take the loc",
        "take loc",
        "I take the loc",
        "take the wild one",
        "nimm die Lok",
        "ich nehme die Lok",
    ):
        assert seat.says(line) == ttr.DrawFaceUpCard("locomotive"), line
    for line in ("take the red one", "take one red", "take 1 red", "take red 1", "nimm eine rote", "ich nehme rot"):
        assert seat.says(line) == ttr.DrawFaceUpCard("red"), line
    for line in ("draw one card", "draw 1 card", "ziehe 1 Karte"):
        assert seat.says(line) == ttr.DrawBlindCard(), line
    for line in ("take 2 red", "take two locs", "draw 2 cards", "take red loc"):
        assert not isinstance(seat.read(line), Found), line


def test_the_trains_place_means_no_other_place():
    """In Niagara "move Niagara" is no move to anywhere else, and a terminal there is no terminal in Ottawa."""
    seat = train(days(move("boston", "boston"), 4), gtj.DeliverGood(card("box_car")))
    assert isinstance(seat.read("move Niagara"), Cannot)
    assert isinstance(seat.read("fahre nach Niagara"), Cannot)
    assert seat.says("move from Niagara to Boston") == move("boston", "boston")
    for line in ("deliver wood here", "deliver the wood in Niagara", "liefere Holz hier", "deliver in Niagara"):
        assert seat.says(line) == gtj.DeliverGood(card("box_car")), line
    building = train(*(gtj.BuildTerminal(card("port_1"), city) for city in ("niagara", "ottawa")))
    for line in ("build Niagara", "build in Niagara", "baue Niagara mit Hafen 1"):
        assert building.says(line) == gtj.BuildTerminal(card("port_1"), "niagara"), line
    assert building.says("build Ottawa") == gtj.BuildTerminal(card("port_1"), "ottawa")
    assert not isinstance(building.read("build here"), Found)
    hauls = train(gtj.PlayOverlandTransport(card("kingston"), "boston", "utica"))
    assert isinstance(hauls.read("haul Niagara"), Cannot)


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("move Boston, deliver wood", ["move Boston", "deliver wood"]),
        ("move Boston; deliver wood; end turn.", ["move Boston", "deliver wood", "end turn."]),
        ("Move Boston then end turn", ["Move Boston", "end turn"]),
        ("move Boston and then end my turn", ["move Boston", "end my turn"]),
        ("move Boston and deliver wood", ["move Boston", "deliver wood"]),
        ("I move Boston, then deliver wood", ["I move Boston", "deliver wood"]),
        ("fahre Boston, dann Zug beenden", ["fahre Boston", "Zug beenden"]),
        ("lade Holz auf und fahre nach Boston", ["lade Holz auf", "fahre nach Boston"]),
        ("Boston, Utica mit Québec tauschen, Zug beenden", ["Boston, Utica mit Québec tauschen", "Zug beenden"]),
        ("swap Boston, Utica with Québec, load wood", ["swap Boston, Utica with Québec", "load wood"]),
        ("maintenance discard Boston, Ottawa, Port and Kingston", None),
        ("move Ottawa with Ottawa and right of way Peterborough", None),
        ("deliver wood and coal", None),
        ("Pass, please", None),
        ("pass, no, move Boston", None),
        ("move Boston, take care", None),
        ("Hi, move Boston", None),
        ("note load wood, then move Boston", None),
        ("preview, move Boston", None),
        ("[3] move Boston, deliver wood", None),
        ("move Boston # then deliver wood", None),
        ("It was fun to load wood, and to move Boston", None),
    ],
)  # fmt: skip
def test_orders_are_cut_before_their_verbs_and_lists_stay_whole(line, orders):
    assert apart(line, train(*TURN).tongue) == tuple(orders or [line])


def test_lists_in_other_titles_stay_one_order():
    cards = hand(ttr.DrawFaceUpCard("red")).tongue
    assert apart("take red, then draw card", cards) == ("take red", "draw card")
    for line in ("keep Boston–Miami, Duluth–El Paso", "claim Duluth-Omaha with blue, blue", "take red, blue"):
        assert apart(line, cards) == (line,)
    for line in (
        "ship red Boston, Worcester, Hartford",
        "bid 12, or pass",
        "ship red Boston, Worcester; then Hartford",
    ):
        assert apart(line, company(BID).tongue) == (line,)


@pytest.mark.parametrize("title", list(TITLES))
def test_a_line_may_be_answered_with_its_remark_if_that_is_right(title):
    """Some lines have a remark: the yield of a cube, days and points; and the number of other ways."""
    dice, tried = random.Random(title), 0
    for at in islice(positions(TITLES[title], 2, every=4), 50):
        names, listing = at.tongue.orders.names(at.tongue.view), TITLES[title].face.orders.listing
        listed = [it for it in at.options if it.amount is None and not it.action.aside]
        option = dice.choice(listed) if listed else None
        remark = None if option is None else listing.remark(at.tongue.view, option.action)
        if option is None or remark is None:
            continue
        tried += 1
        for language, ways in zip(at.tongue.languages, ("3 other ways", "3 andere Wege"), strict=True):
            line, behind = write(option.order, names, language), say(remark, language, str)
            for copied in (f"{line}     {behind}", f"{line} ({behind})", f"{line}  {behind}; {ways}"):
                assert means(at, option, copied, in_letter=True) == "itself", copied
            assert means(at, option, f"{line}  {behind} 99", in_letter=True) == "nothing"
    assert tried > 3


def test_suggestions_lose_nothing_and_are_not_below_the_amount():
    seat = train(gtj.DumpGood(card("box_car")), gtj.LoadGood(card("box_car"), "wood"), gtj.EndTurn(), gtj.Pass())
    cannot = seat.read("deliver wood")
    assert isinstance(cannot, Cannot)
    assert seat.lines(cannot.near) == ["load wood on Box Car"]
    assert isinstance(nothing := seat.read("deliver wood in Niagara"), Cannot | Asked)
    assert not {"end turn", "pass", "dump wood from Box Car"} & set(seat.lines(getattr(nothing, "near", ())))
    dumping = seat.read("dump coal")
    assert isinstance(dumping, Cannot)
    assert seat.lines(dumping.near) == ["dump wood from Box Car"]
    loans = company(span(ner.TakeLoan(0), "amount", 0, 100, 10), ner.PassBid("boston__lowell"), BID)
    for line, least in (("borrow 15", 20), ("bid 2", 3), ("borrow 105", None), ("bid 50", None), ("biete 41", None)):
        cannot = loans.read(line)
        assert isinstance(cannot, Cannot), line
        offered = [it.amount.at_least(cannot.amount) for it in cannot.near if it.amount is not None]
        assert offered == ([] if least is None else [least]), line
        assert "pass" not in loans.lines(cannot.near)


@pytest.mark.parametrize(
    ("line", "number", "amount"),
    [
        ("number 1", 1, None), ("Number 1.", 1, None), ("no. 1", 1, None), ("Nr. 2", 2, None),
        ("Nummer 3 bitte", 3, None),
        ("#1", None, None),
        ("line 3: 12", 3, 12), ("Zeile 3", 3, None), ("1, please", 1, None), ("please 1", None, None),
        ("option 2 thanks", 2, None), ("number one", None, None), ("move 3", None, None),
        ("number 1 and 2", None, None),
        ("no proxy", None, None), ("card 3", None, None),
    ],
)  # fmt: skip
def test_a_number_may_have_a_word_before_it(line, number, amount):
    said = by_number(line, train(*MOVES).tongue.grammar)
    assert (number, amount) == (None, None) if said is None else (said.number, said.amount) == (number, amount)
