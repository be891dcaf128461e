"""Downloading a game as a page: without a script, a page waits until a worker has drawn it."""

from service.proof.bundle.prove import prove_file
from tests import toy
from tests.service.web.pages.tables import start
from workers.pages import draw_due


def waits_for(page):
    """Return the address that a page reloads by itself, and the seconds until then."""
    (refresh,) = page.root.all("meta", **{"http-equiv": "refresh"})
    pause, _, address = refresh.attrs["content"].partition(";url=")
    return address, int(pause)


def test_a_page_looks_by_itself_until_the_download_is_there(ann, bob, shelf):
    table = start(ann, bob)
    waiting = ann.get(f"{table}/audit").follow("Download the game")
    assert waiting.status == 202
    assert "starts by itself" in waiting.text
    address, pause = waits_for(waiting)
    assert pause == 2
    again = ann.get(address)
    assert (again.status, waits_for(again)) == (202, (address, 2))
    assert ann.client.get(address).headers["Retry-After"] == "2"
    draw_due(shelf)
    file = ann.client.get(address)
    assert (file.status_code, file.mimetype) == (200, "text/html")
    assert file.headers["Content-Disposition"].startswith("attachment")
    assert file.headers["Content-Security-Policy"].startswith("sandbox")
    assert prove_file(file.data, {"toy": toy.TITLE}).header.reader == 1


def test_the_waiting_page_is_in_the_readers_language(arrive, bob, shelf):
    eva = arrive("Eva", "de")
    table = start(eva, bob)
    assert "Dein Download wird vorbereitet" in eva.get(f"{table}/audit/file").text
    draw_due(shelf)
    assert "wie Platz 1 sie sieht" in eva.client.get(f"{table}/audit/file").text


def test_other_readers_see_nothing_of_the_drawing(arrive, ann, bob, shelf):
    table = start(ann, bob)
    address, _ = waits_for(ann.get(f"{table}/audit/file"))
    draw_due(shelf)
    assert arrive("Cleo").get(address).status == 202


def test_a_failed_drawing_is_reported(ann, bob, shelf, monkeypatch):
    table = start(ann, bob)
    ann.get(f"{table}/audit/file")
    monkeypatch.setattr("workers.pages.draw", lambda *asked: 1 // 0)
    draw_due(shelf)
    assert ann.get(f"{table}/audit/file").status == 500
