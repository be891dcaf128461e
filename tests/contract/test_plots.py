"""Plots of finished games: the last points are the result's, as a second reckoning from the bare JSON of the log says,
too; and everything is drawn and said in every language.
"""

import io
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from domain import TITLES
from domain.drawing import inks
from domain.game import fold
from domain.lifecycle import Resign
from domain.plots import Bars, Happening, Plot, PlotRows, Point, SeatLine, Steps, leads, table
from domain.report import say_cell
from domain.retelling import retell
from domain.title import Title
from domain.words import say
from service.games import pictures, plots
from service.games.plots import Sheet
from service.games.review import moments
from service.letters.columns import WIDTH, columns
from service.letters.of_review import PLOT_WIDTH, in_words
from service.words import languages, spoken
from tests import record
from tests.contract.games import RandomGame

FILES = [file for title in TITLES for file in record.files(title)]
MOST_SENTENCES = 8
MOST_BYTES = 12_000


class Told:
    """A recorded game with its plots."""

    def __init__(self, file: Path) -> None:
        self.recorded = record.read(file)
        self.title = self.recorded.title
        log = self.recorded.plies
        self.game = fold(self.recorded.game_id, self.title, log)
        self.moments: tuple[Happening, ...] = tuple(moments(self.title, log))
        self.plots: tuple[Plot, ...] = self.title.face.plots(self.moments)

    def plot(self, id: str) -> Any:
        [found] = [it for it in self.plots if it.id == id]
        return found


@pytest.fixture(scope="module", params=FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def told(request: pytest.FixtureRequest) -> Told:
    return Told(request.param)


# ==== a second reckoning, of JSON alone ===========================================================
def events_of(recorded: record.Recorded) -> Iterator[dict[str, Any]]:
    """Yield the events that counted in the end, with their sealed fields."""
    log = []
    for stored in recorded.stored:
        ply = {"events": [], **json.loads(stored.open)}
        for part in stored.sealed:
            for place, event in json.loads(part.body).get("events", ()):
                ply["events"] += [{}] * (place + 1 - len(ply["events"]))
                ply["events"][place] = {**ply["events"][place], **event}
        log.append(ply)
    gone: set[int] = set()
    for ply in reversed(log):
        for event in ply["events"] if ply["ply"] not in gone else ():
            if event.get("event") == "TakenBack":
                gone.update(event["plies"])
            elif event.get("event") == "Rewound":
                gone.update(range(event["to"] + 1, ply["ply"]))
    for ply in log:
        if ply["ply"] not in gone:
            yield from ply["events"]


def grand_trunk(events: list[dict[str, Any]]) -> dict[int, int]:
    [opened] = [it for it in events if it["event"] == "TableSet"]
    points = dict.fromkeys(range(1, len(opened["companies"]) + 1), 3)
    for it in events:
        if "vp" in it:
            points[it["seat"]] += it["vp"]
        if it["event"] == "GameScored":
            for seat, time, sets, improvements, *_ in it["scores"]:
                points[seat] += time + sets + improvements
    return points


def ticket_to_ride(events: list[dict[str, Any]]) -> dict[int, int]:
    [opened] = [it for it in events if it["event"] == "TableSet"]
    points = dict.fromkeys(range(1, len(opened["colours"]) + 1), 0)
    for it in events:
        if it["event"] in ("RouteClaimed", "TicketsScored"):
            points[it["seat"]] += it["points"]
        if it["event"] == "LongestPathScored":
            for seat in it["holders"]:
                points[seat] += 10
    return points


def new_england(events: list[dict[str, Any]]) -> dict[int, int]:
    numbers = {
        it["id"]: it["number"]
        for it in json.loads(Path("domain/new_england/data/game.json").read_text(encoding="utf-8"))["links"]
    }
    [opened] = [it for it in events if it["event"] == "GameSetUp"]
    worth = dict.fromkeys(range(1, opened["seats"] + 1), opened["cash"])
    debt = dict.fromkeys(worth, 0)
    for it in events:
        match it["event"]:
            case "LoanTaken":
                worth[it["seat"]] += it["amount"]
                debt[it["seat"]] += it["amount"]
            case "DebtRetired":
                worth[it["seat"]] -= it["amount"]
                debt[it["seat"]] -= it["amount"]
            case "DebtServiced" | "ShortfallPaid":
                worth[it["seat"]] -= it["amount"]
            case "IncomePaid":
                worth[it["seat"]] += it["amount"]
            case "LinkSold":
                worth[it["seat"]] += numbers[it["link"]] - it["price"]
    return {seat: worth[seat] - debt[seat] * 12 // 10 for seat in worth}


RECKONED = {"grand_trunk": grand_trunk, "ticket_to_ride": ticket_to_ride, "new_england": new_england}


def test_the_last_points_are_those_of_the_result_and_of_a_second_reckoning(told: Told):
    first = told.plots[0]
    assert isinstance(first, Steps)
    drawn = {line.seat: line.points[-1].y for line in first.lines}
    result = told.game.result
    assert drawn == {it.seat: it.total for it in result.standings}
    assert drawn == RECKONED[told.title.id](list(events_of(told.recorded)))


def expected_locomotives(events: list[dict[str, Any]]) -> tuple[Counter, dict[int, float]]:
    deck = Counter(
        dict.fromkeys(["purple", "blue", "orange", "white", "green", "yellow", "black", "red"], 12), locomotive=14
    )
    market: dict[int, str] = {}
    thrown: Counter = Counter()
    drawn: Counter = Counter()
    expected: dict[int, float] = defaultdict(float)
    for it in events:
        match it["event"]:
            case "HandDealt":
                deck.subtract(it["cards"])
            case "FaceUpCardTurned":
                deck[it["card"]] -= 1
                market[it["slot"]] = it["card"]
            case "FaceUpCardDrawn":
                del market[it["slot"]]
            case "BlindCardDrawn":
                expected[it["seat"]] += deck["locomotive"] / deck.total()
                drawn[it["seat"]] += it["card"] == "locomotive"
                deck[it["card"]] -= 1
            case "MarketSwept":
                thrown.update(market.values())
                market.clear()
            case "RouteClaimed":
                thrown.update(it["paid"])
            case "TrainDeckShuffled":
                deck.update(thrown)
                thrown.clear()
    return drawn, expected


@pytest.mark.parametrize("file", record.files("ticket_to_ride"), ids=lambda file: file.stem)
def test_the_locomotives_that_a_deck_lets_expect_are_reckoned_again(file: Path):
    told = Told(file)
    drawn, expected = expected_locomotives(list(events_of(told.recorded)))
    shown = {bar.seat: (bar.value, bar.beside) for group in told.plot("luck").groups for bar in group.bars}
    assert shown == {seat: (drawn[seat], round(10 * expected[seat])) for seat in expected}


@pytest.mark.parametrize("file", record.files("new_england"), ids=lambda file: file.stem)
def test_the_dice_are_those_of_the_log(file: Path):
    told = Told(file)
    rolls = [sum(it["dice"]) for it in events_of(told.recorded) if "dice" in it]
    shown = {group.name: (group.bars[0].value, group.bars[0].beside) for group in told.plot("dice").groups}
    chances = {total: 6 - abs(7 - total) for total in range(2, 13)}
    assert shown == (
        {it: (rolls.count(it), round(len(rolls) * ways / 3.6)) for it, ways in chances.items()} if rolls else {}
    )


# ==== drawn and said ==============================================================================
def test_every_plot_is_drawn_and_said_in_every_language(told: Told):
    view = told.title.rules.view(told.game.state, None)
    marks = {it.seat: it for it in told.title.face.things(view).seats}
    assert len({plot.id for plot in told.plots}) == len(told.plots) == 5
    for code in languages():
        language = spoken(told.title.face.words, code)
        sheet = Sheet(
            lambda cell, language=language: say_cell(cell, language, "P{}".format),
            marks,
            inks(told.title.face.colours)["light"],
        )
        for plot in told.plots:
            ElementTree.fromstring(plots.svg(plots.drawn(plot, sheet), sheet.say(plot.heading)))
            grid = table(plot)
            assert {len(row) for row in grid.rows} <= {len(grid.head) + 1}
            assert all("{" not in sheet.say(cell) for row in grid.rows for cell in row)


def test_tables_fit_the_columns_of_a_letter_in_every_language(told: Told):
    def player(seat: int) -> str:
        return ["", "Maximiliane", "Bob", "Cy Twombly", "Dee", "Konstantin A", "Flo"][seat]

    for code in languages():
        language = spoken(told.title.face.words, code)
        for plot in told.plots:
            grid = table(plot)
            rows = ((plot.heading, *grid.head), *grid.rows)
            said = columns([[say_cell(cell, language, player) for cell in row] for row in rows])
            assert max(map(len, said.splitlines())) <= WIDTH, said


def test_without_pictures_the_first_plot_says_how_it_ends(told: Told):
    language = spoken(told.title.face.words, "en")
    drawing = Sheet(lambda cell: say_cell(cell, language, "P{}".format), {}, {})
    ends = [each.points[-1].y for each in told.plots[0].lines]
    said = ", ".join(f"P{seat} {last}".replace("-", "\N{MINUS SIGN}") for seat, last in enumerate(ends, 1))
    assert in_words(told.plots[0], drawing) == f"{drawing.say(told.plots[0].heading)}: {said}"


def test_without_pictures_every_other_plot_says_all_its_values(told: Told):
    for code in languages():
        language = spoken(told.title.face.words, code)
        drawing = Sheet(lambda cell, language=language: say_cell(cell, language, "P{}".format), {}, {})
        for plot in told.plots:
            if isinstance(plot, Steps):
                continue
            said = in_words(plot, drawing)
            for name, *cells in table(plot).rows:
                assert not any(cells) or f" {drawing.say(name)}: " in said
                assert all(drawing.say(cell) in said for cell in cells)


def test_numbers_in_brackets_are_explained_in_words():
    told = Told(record.files("new_england")[-1])
    language = spoken(told.title.face.words, "de")
    drawing = Sheet(lambda cell: say_cell(cell, language, "P{}".format), {}, {})
    prices = told.plot("prices")
    assert "(in Klammern: ihre Bauzahl): Boston–Providence: P2 12 (5); " in in_words(prices, drawing)
    assert drawing.say(table(prices).heading).endswith(" (in Klammern: ihre Bauzahl)")


@pytest.mark.parametrize("file", [record.files(title)[-1] for title in TITLES], ids=lambda file: file.parent.name)
def test_a_plot_is_a_light_picture(file: Path):
    told = Told(file)
    things, ink = told.title.face.things(told.title.rules.view(told.game.state, None)), inks(told.title.face.colours)
    language, marks = spoken(told.title.face.words, "en"), {it.seat: it for it in things.seats}
    drawing = plots.drawn(
        told.plots[0], Sheet(lambda cell: say_cell(cell, language, "P{}".format), marks, ink["light"])
    )
    size, paper = (drawing.width, drawing.height), ink["light"]["paper"]
    png = pictures.chart(drawing.svg, size, paper, PLOT_WIDTH)
    assert len(png) <= MOST_BYTES
    seen = Image.open(io.BytesIO(png)).convert("RGB")
    assert seen.width == PLOT_WIDTH
    assert "#{:02x}{:02x}{:02x}".format(*seen.getpixel((0, 0))) == paper


def test_the_table_of_points_ends_with_the_result(told: Told):
    grid = table(told.plots[0])
    assert list(grid.rows[-1][1:]) == [it.total for it in sorted(told.game.result.standings, key=lambda it: it.seat)]


def test_the_story_has_at_most_eight_sentences_in_the_order_of_the_game(told: Told):
    story = retell(told.title.face, told.moments, told.plots, told.game.result)
    assert 0 < len(story) <= MOST_SENTENCES
    assert [it.ply for it in story] == sorted(it.ply for it in story)
    winners = [f"P{seat}" for seat in told.game.result.winners]
    assert all(it in say(story[-1].sentence, spoken(told.title.face.words, "en"), "P{}".format) for it in winners)


def test_rows_name_what_they_show(told: Told):
    for plot in told.plots:
        match plot:
            case PlotRows():
                assert all(row.spans or row.dots or plot.dot is not None for row in plot.rows)
            case Bars():
                assert all(group.bars for group in plot.groups)


# ==== the lead ====================================================================================
def line(seat: int, *points: tuple[int, int]) -> SeatLine:
    return SeatLine(seat, tuple(Point(ply, y, ply) for ply, y in points))


def test_a_tie_changes_no_lead():
    assert leads([line(1, (1, 0), (3, 5)), line(2, (1, 0), (4, 5), (6, 9))]) == [(3, 1), (6, 2)]


def test_nobody_leads_among_equals():
    assert leads([line(1, (1, 0), (3, 5)), line(2, (1, 0), (3, 5))]) == []


def test_a_leader_who_falls_back_behind_a_tie_has_no_successor_yet():
    assert leads([line(1, (1, 7), (5, 2)), line(2, (1, 0), (3, 4)), line(3, (1, 0), (4, 4))]) == [(1, 1)]


# ==== unusual games ===============================================================================
LONG = 2000
"""Moves of a long log."""


def written(game: RandomGame, folder: Path) -> Told:
    record.write(folder / "game.jsonl", game)
    return Told(folder / "game.jsonl")


def holds(told: Told) -> None:
    """Check the plots beside the result, the second reckoning and their tables."""
    test_the_last_points_are_those_of_the_result_and_of_a_second_reckoning(told)
    test_the_table_of_points_ends_with_the_result(told)
    test_every_plot_is_drawn_and_said_in_every_language(told)
    test_without_pictures_every_other_plot_says_all_its_values(told)


def sensible(title: Title) -> Any:
    dice = random.Random(4)
    return lambda game, seat, _: title.bots["sensible"](title.rules.view(game.state, seat), dice)[0]


@pytest.mark.parametrize("box", TITLES.values(), ids=TITLES)
def test_recorded_games_include_resignations_and_the_fewest_seats(box: Title):
    recorded = [record.read(file) for file in record.files(box.id)]
    assert any(isinstance(ply.command, Resign) for it in recorded for ply in it.plies)
    assert box.seating.seats[0] in {len(it.result["standings"]) for it in recorded}


@pytest.mark.parametrize("box", TITLES.values(), ids=TITLES)
def test_a_game_that_a_bot_plays_to_its_end_has_its_plots(box: Title, tmp_path: Path):
    """From the middle on, a bot stands in for a player (ST 16)."""
    game = RandomGame(box, 3, seats=box.seating.seats[0], options=box.seating.options(), mischief=False)
    game.older, game.choose = False, sensible(box)
    for _ in game.opening():
        pass
    stands_in = min(seat for seat, chair in game.game.table.chairs.items() if not chair.bot)
    while game.game.status == "running":
        seat = game.game.asked[0]
        bot = len(game.plies) > 20 and seat == stands_in
        game.give(seat, game.choose(game.game, seat, ()), "bot" if bot else None)
    assert sum(ply.cause == "bot" for ply in game.plies if ply.seat == stands_in) > 5
    holds(written(game, tmp_path))


@pytest.mark.parametrize("box", TITLES.values(), ids=TITLES)
def test_a_log_of_two_thousand_moves_has_its_plots(box: Title, tmp_path: Path):
    """Players take back moves, and make them again, until the log is long enough."""
    game = RandomGame(box, 6, seats=box.seating.seats[1], options=box.seating.options(), mischief=False)
    game.older, game.choose = True, sensible(box)  # a table of people alone
    for _ in game.opening():
        pass
    game._now = lambda: game.at  # at one moment, no move settles
    while game.game.status == "running":
        for step in list(game.turn()):
            while len(game.plies) < LONG and list(game.regret(step.ply.seat)):
                pass
    assert len(game.plies) >= LONG
    holds(written(game, tmp_path))
