"""Docs and site agree on shared subjects: orders, rules, settings, the API and the addresses of pages.

The page of settings is generated (`tests.settings`), and so are the site's pages of orders and rules and the
description of the API. Docs that describe them in their own words are compared with the same tables here.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

import pytest

import domain
from config.settings import Settings
from domain.orders.folding import alternatives, fold
from domain.orders.house import HOUSE_WORDS, SMALL_TALK, HouseWord
from service.accounts import keys
from service.games import by_mail, daily
from service.people import strangers
from service.web import streaming
from service.web.app import create_app
from service.web.shared import downloads, limits
from service.words import spoken
from tests.test_docs import PAGES, ROOT

ORDERS = ROOT / "docs/player/orders.md"
CODE = re.compile(r"`([^`\n]+)`")
RULE = re.compile(r"\b(ST|GTJ|TTR|NER) (\d+(?:\.\d+)?)\b")
SETTING = re.compile(r"\bSLOWTRAIN_(\w*[A-Z])\b")
ADDRESS = re.compile(r"`(/[a-z][\w./…-]*)`|https?://127\.0\.0\.1:8000(/[\w./]+)")
MACHINE = ("/home/", "/etc", "/opt", "/var")
"""Folders of a machine, which look like addresses."""
API = "/api/v1"
GERMAN = spoken(domain.TITLES["grand_trunk"].face.words, "de")
SHIPPED = [file for file in (ROOT / "config/deploy").rglob("*") if file.is_file()]


def by_page(pages: Iterable[Path], find: Callable[[str], set[str]]) -> dict[str, set[str]]:
    """Return the things that each page names."""
    return {str(page.relative_to(ROOT)): find(page.read_text()) for page in pages}


# ==== orders ======================================================================================
def table() -> list[str]:
    """Return the orders in the first and the last column of the table in the page for players."""
    rows = [line for line in ORDERS.read_text().splitlines() if line.startswith("| `")]
    return [order for row in rows for order in CODE.findall(row)]


def said(word: HouseWord) -> Iterator[tuple[str, ...]]:
    """Return the ways to say a word for every title, in English and German."""
    for text in (word.words.template, GERMAN.texts.get(word.words.template, word.words.template)):
        yield from map(fold, alternatives(text))


def meant(order: str) -> set[str]:
    """Return the ids of the words with which an order begins; the longest decide."""
    words = fold(order)
    found = [(len(way), word.id) for word in HOUSE_WORDS for way in said(word) if way and words[: len(way)] == way]
    longest = max((length for length, _ in found), default=0)
    begins = {word for length, word in found if length == longest}
    return begins | ({"start"} if order in alternatives(by_mail.START.template) else set())


def test_each_order_of_the_page_for_players_is_understood() -> None:
    assert [order for order in table() if not meant(order)] == []


def test_the_page_for_players_names_every_order_for_the_table() -> None:
    named = set(chain.from_iterable(map(meant, table())))
    assert {word.id for word in HOUSE_WORDS} - named == {SMALL_TALK, "stop"}
    assert "`stop`" in ORDERS.read_text()


def test_the_page_for_players_says_which_orders_stand_alone() -> None:
    alone = {word.id for word in HOUSE_WORDS if word.asks == "alone"}
    assert alone == {"rematch", "pictures_off", "pictures_on", "tips_off", "tips_on", "short_receipts", "long_receipts"}
    assert (
        "The orders about pictures, tips, receipts and rematches count only if there is no other text on their line"
        in prose(ORDERS)
    )


def prose(page: Path) -> str:
    return " ".join(page.read_text().split())


# ==== rules =======================================================================================
def rules() -> set[str]:
    """Return the numbers that head a rule on the site's pages."""
    catalogues = [ROOT / "domain/HOUSE_RULES.md", *(title.catalogue for title in domain.TITLES.values())]
    heads = re.compile(rf"^(?:- )?\*\*{RULE.pattern}", re.MULTILINE)
    return {" ".join(number) for file in catalogues for number in heads.findall(file.read_text())}


def test_the_rules_that_pages_cite_stand_on_the_site() -> None:
    cited = by_page([*PAGES, ROOT / "CHANGELOG.md"], lambda text: {" ".join(number) for number in RULE.findall(text)})
    known = rules()
    assert {page: it - known for page, it in cited.items() if it - known} == {}


# ==== settings ====================================================================================
def test_settings_named_on_pages_and_in_shipped_files_exist() -> None:
    named = by_page([*PAGES, *SHIPPED], lambda text: {name.lower() for name in SETTING.findall(text)})
    assert sum(map(len, named.values())) > 100
    known = set(Settings.model_fields)
    assert {page: it - known for page, it in named.items() if it - known} == {}


# ==== the API and the addresses of pages ==========================================================
@pytest.fixture(scope="module")
def app(tmp_path_factory):
    settings = Settings(_env_file=None, data_dir=tmp_path_factory.mktemp("sources"))  # type: ignore[call-arg]
    return create_app(settings)


def leads(app, path: str) -> bool:
    """Has the site a page or a call at this address? Capitals and "…" stand for the reader's values."""
    filled = re.escape(re.sub(r"…|\b[A-Z]+\b", "\0", path).rstrip("/")).replace("\0", ".+")
    return any(re.fullmatch(filled, re.sub(r"<[^>]+>", "filled", rule.rule)) for rule in app.url_map.iter_rules())


def test_the_addresses_that_pages_name_lead_somewhere(app) -> None:
    named = by_page(PAGES, lambda text: {one or other for one, other in ADDRESS.findall(text)})
    assert sum(map(len, named.values())) > 20
    wrong = {
        page: {
            it for it in paths if not it.startswith(MACHINE) and it not in (API, streaming.PATH) and not leads(app, it)
        }
        for page, paths in named.items()
    }
    assert {page: paths for page, paths in wrong.items() if paths} == {}


def test_the_commands_that_the_page_of_the_api_shows_are_described(app) -> None:
    bodies = re.findall(r"-d '(\{.*?\})' ", (ROOT / "docs/api.md").read_text())
    described = json.dumps(app.test_client().get("/api/v1/openapi.json").json)
    shown = {each["command"] for body in bodies for each in json.loads(body).get("commands", [])}
    assert shown
    assert {name for name in shown if f'"{name}"' not in described} == set()


def test_the_page_of_limits_has_the_true_figures() -> None:
    text = prose(ROOT / "docs/host/limits.md")
    figure = {limits.PER_ADDRESS: "{:,} a minute from one address", limits.PER_PERSON: "{:,} a minute by one person"}
    for limit, words in figure.items():
        assert words.format(int(limit.split()[0])) in text
    assert f"{daily.MOST:,} a day (UTC)" in text
    minute, day = (limit.amount for limit in downloads.PAGES_PER_PERSON)
    assert f"{minute} a minute and {day} a day" in text
    words = {5: "five invitations a day", 30: "thirty a day"}
    letters = prose(ROOT / "docs/player/letters.md")
    assert words[strangers.INVITATIONS_A_DAY] in letters
    assert words[keys.SIGN_IN_PER_MAILBOX[-1].amount] in letters


@pytest.mark.parametrize(("order", "is_one"), [("take back all", True), ("Bilder aus", True), ("take it easy", False)])
def test_an_order_that_does_not_exist_is_found(order: str, is_one: bool) -> None:
    assert bool(meant(order)) is is_one
