"""Lessons on the pages: from the first step to the last by hand, with a board and in words, with nothing stored."""

from urllib.parse import urlencode

import pytest
from sqlalchemy import func, select

from domain import TITLES
from domain.title import Title
from service.database.tables import Person, table_of
from service.games import lessons
from service.web.pages.parts.forms import command_text
from service.words import languages
from tests.service.web.pages.browser import Browser

TAUGHT = [it for it in TITLES if TITLES[it].lesson is not None]


@pytest.fixture
def shelf(settings, store_in):
    """Return a store with all real titles."""
    opened = store_in(settings, dict(TITLES))
    yield opened
    opened.close()


TTR = "/learn/ticket_to_ride"


@pytest.fixture(scope="session")
def only_app(app_of_all):
    return app_of_all


@pytest.fixture(params=TAUGHT)
def title(request) -> Title:
    return TITLES[request.param]


def squeezed(text: str) -> str:
    """Return a text without spaces: words of the game in it are links."""
    return "".join(text.split())


def go_through(guest: Browser, title: Title, suffix: str = ""):
    """Do each step by its form, and yield the page before it."""
    page = guest.get(f"/learn/{title.id}/1{suffix}")
    for number, moment in enumerate(lessons.moments(title), 1):
        yield page
        it, lang = lessons.step(title, number), guest.headers["Accept-Language"]
        if it.step.shows == "letter":
            page = page.form("/orders").submit(lines="\n".join(it.lines(lang)))
        elif moment.commands:
            page = played(page, title, number)
        elif number < it.of:
            page = page.follow("Next step" if lang == "en" else "Nächster Schritt")


def played(page, title: Title, number: int, command=None):
    """Point at the step's places, and send a command by a form of the page: by default that of the step."""
    it = lessons.step(title, number)
    if not page.has_form("/move"):
        page = page.browser.get(f"/learn/{title.id}/{number}?{urlencode({'at': it.step.at}, doseq=True)}")
    wish = command_text(command or it.moment.commands[0])
    form = page.form("/move")
    fields = {name: it for name, it in form.filled.items() if name not in ("field", "value")}
    return page.browser.post(form.address, {**fields, "command": wish})


@pytest.mark.long("de")
@pytest.mark.parametrize("lang", list(languages()))
@pytest.mark.parametrize("suffix", ["", "/text"])
def test_a_guest_does_a_lesson_from_the_first_step_to_the_last(app, title, lang, suffix):
    pages = list(go_through(Browser(app, lang), title, suffix))
    assert [page.status for page in pages] == [200] * len(lessons.moments(title))
    for number, page in enumerate(pages, 1):
        assert page.address.partition("#")[0] == f"/learn/{title.id}/{number}{suffix}"
        it = lessons.step(title, number)
        for sentence in (it.step.text, it.step.do):
            assert sentence is None or squeezed(it.seen.say(sentence, lang)) in squeezed(page.text)


def test_the_places_of_the_text_are_links_that_choose_them(guest, title):
    for number, moment in enumerate(lessons.moments(title), 1):
        it = lessons.step(title, number)
        if not moment.commands or not it.step.at:
            continue
        page = guest.get(f"/learn/{title.id}/{number}?{urlencode({'at': it.step.at}, doseq=True)}")
        assert page.status == 200
        assert page.has_form("/move"), number
        assert page.root.all("a", **{"aria-current": "true"}) or page.root.all("ul", **{"class": "ways chosen"}), number


def test_another_legal_move_is_told_and_not_made(guest):
    page = guest.get(f"{TTR}/4")
    page = page.press("Draw tickets")
    assert page.status == 200
    assert "You can do that: You are dealt 3 tickets and keep at least one." in page.text
    assert "your ticket needs this route" in page.text
    assert "Step 4 of 12" in page.text
    assert guest.get(f"{TTR}/4").status == 200


def test_an_illegal_move_is_refused_with_its_rule(guest):
    page = guest.get(f"{TTR}/4?do=claim&at=dallas__oklahoma_city__gray_1")
    wish = '{"command":"ClaimRoute","route":"miami__new_orleans","pay":["red","red","red","red","red","red"]}'
    page = page.form("/move").submit(command=wish)
    assert page.status == 422
    assert "See rule TTR 5" in page.text
    assert "Nothing was changed" in page.text


def test_a_typed_line_counts_and_a_wrong_one_says_why(guest):
    page = guest.get(f"{TTR}/4/text").form("/orders").submit(lines="claim Dallas–Oklahoma City with 2 red")
    assert page.address.startswith(f"{TTR}/5/text")
    page = guest.get(f"{TTR}/4/text").form("/orders").submit(lines="claim Miami–Atlanta with 5 blue")
    assert page.status == 422
    assert "TTR 5" in page.text


GTJ = "/learn/grand_trunk"


def test_a_letter_is_answered_with_a_whole_turn_line_by_line(guest):
    lines = [it.text for it in guest.get(f"{GTJ}/11").root.all("code")]
    assert (len(lines), lines[-1]) == (5, "double Hopper Car with Richmond")
    part = guest.get(f"{GTJ}/11").form("/orders").submit(lines="build Québec with Port 1")
    assert part.status == 422
    assert "More lines follow in the example." in part.text
    assert part.form("/orders").filled["lines"] == "build Québec with Port 1"
    wrong = part.form("/orders").submit(lines="build Québec with Port 1\nmove Boston with Boston")
    assert wrong.status == 422
    assert "move Boston with Boston" in wrong.text
    other = part.form("/orders").submit(lines="build Québec with Port 1\nmove Richmond with Richmond")
    assert "You can do that: Anna moves from White River Jct to Richmond" in other.text


def test_the_lines_of_a_letter_can_be_sent_as_they_stand(guest):
    page = guest.get(f"{GTJ}/11")
    (form,) = (it for it in page.forms if len(it.filled.get("lines", "").splitlines()) == 5)
    assert form.submit().address.startswith(f"{GTJ}/12")


def test_a_chosen_card_says_what_it_is_for_where_its_actions_leave_room(guest):
    chosen = guest.get(f"{GTJ}/4?at=forest_exploitation")
    assert "Two wood count as delivered by you; no wood track steps. GTJ 13.12" in chosen.text
    assert "GTJ 13.12" not in guest.get(f"{GTJ}/4").text
    many = guest.get(f"{GTJ}/4?at=quebec_richmond.port_2")
    assert many.text.count("Acquire Coal Exporter with Port") == 1
    assert "GTJ 12.5" not in many.text


def test_a_rule_that_a_step_names_leads_back_to_the_step(guest):
    page = guest.get(f"{TTR}/4/text").form("/orders").submit(lines="claim Miami–Atlanta with 5 blue")
    link = next(it for it in page.links if it.startswith("/rules/ticket_to_ride?"))
    rules = guest.get(link)
    assert f"{TTR}/4" in rules.links
    assert f"{TTR}/4" in rules.form("/rules/ticket_to_ride").submit(find="blue").links
    assert "/learn/nothing/4" not in guest.get("/rules/house?lesson=nothing&step=4").links


def test_the_number_of_a_letters_line_is_an_answer(guest):
    page = guest.get(f"{TTR}/11").form("/orders").submit(lines="6")
    assert "You draw a card that nobody has seen." in page.text
    assert "In a real game, that would be your move." in page.text


def test_a_browser_goes_on_at_its_furthest_step(guest, app):
    guest.get(f"{TTR}/5")
    guest.get(f"{TTR}/2")
    assert guest.get(TTR).address == f"{TTR}/5"
    assert "Go on with step 5" in guest.get("/learn").text
    assert Browser(app).get(TTR).address == f"{TTR}/1"
    assert Browser(app).get(f"{TTR}/5").status == 200


@pytest.mark.parametrize("address", ["/learn/nothing", "/learn/nothing/1", f"{TTR}/0", f"{TTR}/13", f"{TTR}/13/text"])
def test_a_step_that_does_not_exist_is_not_found(guest, address):
    assert guest.get(address).status == 404


def test_a_lesson_stores_nothing(guest, shelf, title):
    def rows():
        with shelf.read() as conn:
            return {it: conn.execute(select(func.count()).select_from(it)).scalar_one() for it in every}

    every = list(table_of(Person).metadata.tables.values())
    before = rows()
    assert len(list(go_through(guest, title))) == len(lessons.moments(title))
    assert rows() == before


def test_the_last_step_leads_to_a_form_that_is_filled_in(guest, ann, title):
    of = len(lessons.moments(title))
    link = next(it for it in guest.get(f"/learn/{title.id}/{of}").links if it.startswith("/games/new?"))
    filled = ann.get(link).form(f"/games/new?title={title.id}").filled
    assert {name: filled[name] for name in title.lesson.new_game} == dict(title.lesson.new_game)


def test_rules_and_new_game_lead_to_the_lesson(guest, ann, title):
    assert f"/learn/{title.id}" in guest.get("/rules").links
    assert f"/learn/{title.id}" in guest.get(f"/rules/{title.id}").links
    assert f"/learn/{title.id}" in ann.get(f"/games/new?title={title.id}").links
    assert "/learn" in guest.get("/").links
