"""A fourth title is added by one line: pages, API, letters and proofs know it without another change."""

import json

import pytest
from sqlalchemy import update

import domain
from service.base import clock
from service.people import accounts
from service.proof.bundle.prove import prove_file
from tests import toy
from tests.service.web.pages.tables import game_id, start, to_choose
from tests.workers.strict import read_strictly
from workers import outbox

DAY = 24 * 60 * 60 * 1000
FOUR = {"toy": toy.TITLE, **domain.TITLES}


@pytest.fixture
def shelf(settings, store_in):
    opened = store_in(settings, FOUR)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def only_app(app_of_all):
    return app_of_all


def test_the_pages_offer_the_title_beside_the_others(guest, ann):
    for address in ("/", "/rules", "/legal"):
        assert "Lanterns" in guest.get(address).text, address
        assert "New England Railways" in guest.get(address).text, address
    assert "Leading." in guest.get("/rules/toy").text
    assert ann.get("/games/new?title=toy").form("/games/new?title=toy")


def test_the_api_describes_and_plays_the_title(ann, bob, app):
    asked = app.test_client()
    assert [it["id"] for it in asked.get("/api/v1/titles").json["titles"]] == list(FOUR)
    described = json.dumps(asked.get("/api/v1/openapi.json").json)
    assert "toy" in described
    assert "Whisper" in described
    table = game_id(start(ann, bob))
    actions = ann.client.get(f"/api/v1/games/{table}/actions").json["actions"]
    given = {"commands": [actions[0]["command"]]}
    answer = ann.client.post(f"/api/v1/games/{table}/moves", json=given, headers={"If-Match": "*"})
    assert answer.status_code == 201, answer.text
    assert ann.client.get(f"/api/v1/games/{table}/board.svg").data.startswith(b"<svg")


def test_turns_of_the_title_come_by_email_in_both_languages(arrive, shelf):
    start(arrive("Ann"), arrive("Bob"))
    with shelf.write() as conn:
        conn.execute(update(accounts.PERSONS).where(accounts.PERSONS.c.name == "Bob").values(lang="de"))
    sent = []
    outbox.send_due(shelf, send=lambda _, mail, *more: sent.append(mail) or "ok", now=lambda: clock.now() + DAY)
    for mail, said in zip(sent, (("Lanterns", "[1] choose"), ("Laternen", "[1] wähle")), strict=True):
        letter = read_strictly(mail.source)
        text = letter.get_body(("plain",)).get_content()
        assert [word for word in said if word not in text] == []
        assert [part.get_content_type() for part in letter.walk()].count("image/png") == 1


def test_a_game_of_the_title_is_proved(ann, bob):
    address = start(ann, bob)
    form = ann.get(address).form("/move")
    assert form.submit(command=to_choose(ann.get(address))[0]).status == 200
    file = ann.client.get(f"/api/v1/games/{game_id(address)}/audit?format=jsonl")
    assert file.status_code == 200
    assert prove_file(file.data, FOUR).fault is None
