"""The file of a game over the API: all that its caller may see, as lines or as a page, without names of people."""

import pytest
from werkzeug.test import TestResponse

from service.proof.bundle.prove import prove_file
from tests import toy
from tests.service.web.api.world import Asker, World
from workers.pages import draw_due

TITLES = {"toy": toy.TITLE}


@pytest.fixture
def table(world: World) -> tuple[dict[str, Asker], str]:
    askers = {name: world.person(name) for name in ("Harriet", "Alice", "Bob")}
    game_id = world.game(askers["Harriet"], askers["Alice"], askers["Bob"], public=False)
    askers["Alice"].choose(game_id)
    askers["Bob"].move(game_id, {"command": "Whisper", "number": 42})
    return askers, game_id


def test_the_file_holds_only_the_callers_view(table: tuple[dict[str, Asker], str]) -> None:
    askers, game_id = table
    opened = {}
    for name, reader in (("Alice", 1), ("Bob", 2), ("Harriet", "onlooker")):
        answer = askers[name].get(f"/games/{game_id}/audit")
        assert answer.content_type == "application/jsonl; charset=utf-8"
        proof = prove_file(answer.data, TITLES)
        assert (proof.fault, proof.header.reader, proof.header.status) == (None, reader, "running")
        opened[name] = proof.opened
        assert (b"Whispered" in answer.data) == (name == "Bob")
    assert opened["Alice"] > 0
    assert opened["Bob"] == opened["Alice"]
    assert opened["Harriet"] == 0


def page_of(world: World, asker: Asker, game_id: str, **headers: str) -> TestResponse:
    """Return the page that a worker draws for this caller."""
    told = asker.get(f"/games/{game_id}/audit?format=html", headers=headers)
    assert (told.status_code, told.headers["Retry-After"], told.mimetype) == (202, "2", "application/json")
    assert told.json["again"] == told.headers["Location"]  # type: ignore[index]
    draw_due(world.store)
    return asker.get(f".{told.headers['Location']}", headers=headers)


@pytest.mark.parametrize("form", ["html", "jsonl"])
def test_the_file_names_no_person(world: World, table: tuple[dict[str, Asker], str], form: str) -> None:
    askers, game_id = table
    for asker in askers.values():
        file = page_of(world, asker, game_id) if form == "html" else asker.get(f"/games/{game_id}/audit?format=jsonl")
        assert file.status_code == 200
        raw = file.data
        for other in askers:
            assert other.encode() not in raw
            assert f"{other.lower()}@".encode() not in raw


def test_the_file_of_a_finished_game_holds_everything(world: World, table: tuple[dict[str, Asker], str]) -> None:
    askers, game_id = table
    world.play_out(game_id, askers["Alice"], askers["Bob"])
    files = {askers[name].get(f"/games/{game_id}/audit").data for name in askers}
    assert len(files) == 1
    proof = prove_file(files.pop(), TITLES)
    assert (proof.fault, proof.header.reader, proof.closed) == (None, "everything", 0)
    assert proof.decided == proof.links > 10


@pytest.mark.parametrize(
    ("accept", "asked", "kind"),
    [
        ("*/*", "", "application/jsonl"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "", "text/html"),
        ("application/jsonl", "", "application/jsonl"),
        ("text/html;q=0.5, application/jsonl", "", "application/jsonl"),
        ("image/png", "", "application/jsonl"),
        ("application/jsonl", "?format=html", "text/html"),
        ("text/html", "?format=jsonl", "application/jsonl"),
    ],
)
def test_format_or_accept_header_choose_the_kind_of_file(
    world: World, table: tuple[dict[str, Asker], str], accept: str, asked: str, kind: str
) -> None:
    askers, game_id = table
    page_of(world, askers["Alice"], game_id)
    answer = askers["Alice"].get(f"/games/{game_id}/audit{asked}", headers={"Accept": accept})
    assert answer.status_code == 200
    assert answer.mimetype == kind
    assert "Accept" in answer.vary
    assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="slowtrain-{game_id}.')
    assert prove_file(answer.data, TITLES).fault is None


def test_the_exported_page_is_isolated_from_this_site(world: World, table: tuple[dict[str, Asker], str]) -> None:
    """It brings a script, so a browser that opens it must give it no access to the reader's session."""
    askers, game_id = table
    answer = page_of(world, askers["Alice"], game_id, **{"Accept-Language": "de"})
    assert answer.headers["Content-Security-Policy"].startswith("sandbox allow-scripts; default-src 'none'")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "wie Platz 1 sie sieht" in answer.text


def test_an_unknown_format_is_refused(table: tuple[dict[str, Asker], str]) -> None:
    askers, game_id = table
    assert askers["Alice"].get(f"/games/{game_id}/audit?format=pdf").status_code == 422
