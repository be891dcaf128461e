"""Boards in pages: the pieces of one drawing, on a background that browsers cache."""

import hashlib
from xml.etree import ElementTree

import pytest

from domain import TITLES
from domain.game import advance, fold
from domain.words import Language
from service.web.pages.parts import boards
from tests.bench.measure import played
from tests.service.web.pages.tables import start

PHONE = "Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0"


@pytest.fixture
def table(ann, bob):
    return start(ann, bob)


def board(page):
    """Return the part of a page with the board: its only drawing."""
    (drawn,) = [it for it in page.root.all("div") if it.attrs.get("class") in boards.DRAWINGS]
    assert len(drawn.all("svg")) == 1
    return drawn


def drawing(page):
    return board(page).attrs["class"]


@pytest.mark.parametrize(
    ("said", "fits"),
    [
        ({}, "wide"),
        ({"Sec-CH-UA-Mobile": "?1"}, "narrow"),
        ({"Sec-CH-UA-Mobile": "?0"}, "wide"),
        ({"Sec-CH-UA-Mobile": "?0", "User-Agent": PHONE}, "wide"),
        ({"User-Agent": PHONE}, "narrow"),
    ],
)
def test_a_page_holds_the_drawing_for_the_kind_of_browser(ann, table, said, fits):
    page = ann.get(table, headers=said)
    assert drawing(page) == fits
    assert board(page).attrs["data-fits"] == table


def test_the_script_measures_the_fitting_drawing(ann, table):
    ann.client.set_cookie(boards.FITS, "narrow")
    assert drawing(ann.get(table)) == "narrow"
    assert drawing(ann.get(table, headers={"Sec-CH-UA-Mobile": "?0"})) == "narrow"
    ann.client.set_cookie(boards.FITS, "<b>")
    assert drawing(ann.get(table)) == "wide"


def test_the_link_to_the_other_drawing_keeps_the_choice(ann, table):
    page = ann.get(table)
    (other,) = [it for it in page.root.all("a") if it.text == "The board for small screens"]
    assert other.attrs["href"] == f"{table}?board=narrow"
    ann.client.set_cookie(boards.FITS, "wide")
    for page in (ann.get(other.attrs["href"]), ann.get(table), ann.get("/"), ann.get(f"{table}/at/4")):
        assert drawing(page) == "narrow"
        assert "data-fits" not in board(page).attrs  # the script leaves it alone
    (back,) = [it for it in page.root.all("a") if it.text == "The board for wide screens"]
    ann.get(back.attrs["href"])
    assert drawing(ann.get(table)) == "wide"


def script(page):
    """Return the script that reloads the page if its board does not fit."""
    return [it for it in page.root.all("script") if "board.js" in it.attrs.get("src", "")]


@pytest.mark.parametrize("path", ["/", "{table}", "{table}/at/4"])
def test_the_script_checks_the_drawing_before_the_ground_loads(ann, table, path):
    page = ann.get(path.format(table=table))
    (asks,) = script(page)
    assert asks.attrs["data-drawn"] == drawing(page) == "wide"
    assert not {"defer", "async"} & asks.attrs.keys()
    assert page.html.index("stylesheet") < page.html.index("board.js") < page.html.index("</head>")


def test_the_script_leaves_chosen_drawings_and_answers_to_forms_alone(ann, table):
    (sent,) = script(ann.get(table).form("/move").submit(command="{}"))
    (chosen,) = script(ann.get(f"{table}?board=narrow"))
    assert "data-drawn" not in sent.attrs.keys() | chosen.attrs.keys()
    assert script(ann.get(f"{table}/at/4/board")) == []


def test_links_do_not_keep_the_chosen_drawing(ann, table):
    page = ann.get(f"{table}?board=narrow")
    assert "board=narrow" not in page.html


def stays(page):
    """Return whether the board stays in view, and the address of its switch."""
    (figure,) = page.root.all("figure")
    (switch,) = page.root.all("a", **{"class": "stays"})
    return "kept" in figure.attrs["class"].split(), switch.attrs["href"].partition("#")[0]


def test_a_switch_keeps_the_board_in_view_on_all_pages(ann, table):
    page = ann.get(table)
    assert stays(page) == (False, f"{table}?stays=1")
    for page in (ann.get(f"{table}?stays=1"), ann.get(table), ann.get(f"{table}/at/4")):
        assert stays(page)[0]
        assert "stays=1" not in page.html
    ann.get(stays(page)[1])
    assert not stays(ann.get(table))[0]
    assert stays(ann.get(f"{table}?stays=%3Cb%3E"))[1] == f"{table}?stays=1"


def test_an_unknown_drawing_is_ignored(ann, table):
    page = ann.get(f"{table}?board=square")
    assert drawing(page) == "wide"
    assert "square" not in page.html


def test_the_answer_to_a_form_is_not_requested_again(ann, table):
    refused = ann.get(table).form("/move").submit(command="{}")
    assert refused.status == 400
    assert "data-fits" not in board(refused).attrs


def test_the_larger_board_is_the_wide_one(ann, table):
    ann.client.set_cookie(boards.CHOSEN, "narrow")
    (svg,) = ann.get(f"{table}/at/4/board").root.all("figure")[0].all("svg")
    assert svg.all("title")[0].attrs["id"] == "wide-label"


# ==== the background ==============================================================================
def test_the_ground_is_a_file_named_by_its_digest(ann, table, app):
    page = ann.get(table)
    (use,) = board(page).all("use")
    address, _, part = use.attrs["href"].partition("#")
    answer = app.test_client().get(address, headers={"Accept-Encoding": "gzip"})
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Set-Cookie" not in answer.headers
    plain = app.test_client().get(address).data
    assert hashlib.sha256(plain).hexdigest()[:12] in address
    ids = [it.get("id") for it in ElementTree.fromstring(plain).iter()]
    assert ids.count(part) == 1


def test_the_digest_of_another_release_gives_this_ones_ground_uncached(app):
    answer = app.test_client().get("/boards/toy/en/wide.0123456789ab.svg")
    assert answer.status_code == 200
    assert "immutable" not in answer.headers["Cache-Control"]


@pytest.mark.parametrize("name", ["chess/en/wide", "toy/xx/wide", "toy/en/square", "toy/../wide"])
def test_an_unknown_ground_is_not_found(app, name):
    assert app.test_client().get(f"/boards/{name}.0123456789ab.svg").status_code == 404


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.id)
def test_the_ground_does_not_depend_on_the_position(title):
    """It is drawn from the opening position when a browser requests it."""
    english = Language()
    opening = boards.opening_view(title)
    for seats in title.seating.seats:
        plies = played(title, seats, 1)
        game = fold("bench", title, ())
        for number, ply in enumerate(plies, 1):
            game = advance(game, ply)
            if game.state is None or (number % 20 and number < len(plies)):
                continue
            for small in (False, True):
                here = title.face.picture(title.rules.view(game.state, 1), "page", english, small=small, alone=True)
                then = title.face.picture(opening, "page", english, small=small, alone=True)
                assert (here.box, here.defs, here.ground) == (then.box, then.defs, then.ground)
                pieces = "".join(piece.svg for piece in here.pieces)
                assert "url(#" not in pieces
                assert 'href="#' not in pieces
