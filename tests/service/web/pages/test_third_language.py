"""An invented language, added by its files alone: no code knows of it, but pages and mails use it."""

import shutil
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select, update

from domain.words import Words
from service.database.store import Store
from service.letters import by_kind
from service.notices.owing import OUTBOX, PEOPLE
from service.words import catalogues, texts
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.tables import start

HEAD = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"""
CODE = "qaa-QM"
"""A private-use language and region of BCP 47."""
HOUSE = {"No pace: nobody is hurried.": "Ipsi pax."}
PAGES = {"Rules": "Regulix", "Games": "Ludix", "Not found": "Nixtum", "It is your turn.": "Tux est."}
MAILS = {"It is your turn": "Tux est", "The position at {when}.": "Situx {when}."}


@pytest.fixture
def third(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Provide the files of all languages and one more, in another folder."""
    house = _with_one_more(catalogues.HOUSE, tmp_path / "house", HOUSE)
    monkeypatch.setattr(catalogues, "HOUSE", house)
    monkeypatch.setattr(texts, "WORDS", Words({}, _with_one_more(texts.WORDS.folder, tmp_path / "own", PAGES | MAILS)))
    _forget()
    yield
    _forget()


def _with_one_more(files: Path, folder: Path, said: dict[str, str]) -> Path:
    folder.mkdir()
    for file in files.glob("*.po"):
        shutil.copy(file, folder)
    entries = [f'msgid "{english}"\nmsgstr "{other}"\n' for english, other in said.items()]
    (folder / f"{CODE}.po").write_text("\n".join([HEAD, *entries]))
    return folder


def _forget() -> None:
    for kept in (catalogues.spoken, catalogues.languages, catalogues.known, catalogues.locale):
        kept.cache_clear()


@pytest.mark.usefixtures("third")
def test_pages_speak_the_third_language_and_english_fills_gaps(app: Flask) -> None:
    page = Browser(app, f"{CODE}-AT,de;q=0.5").get("/rules")
    assert page.root.all("html")[0].attrs["lang"] == CODE
    assert "Regulix" in page.text
    assert "About this site" in page.html
    assert [button.attrs["value"] for button in page.root.all("button", name="lang")] == ["en", "de"]
    assert Browser(app, "de").get("/rules").root.all("button", name="lang", value=CODE)[0].text == CODE


@pytest.mark.usefixtures("third")
def test_the_third_language_can_be_chosen_and_the_answers_follow(app: Flask, ann: Browser, shelf: Store) -> None:
    token = ann.get("/account").root.all("input", name="csrf")[0].attrs["value"]
    page = ann.post("/language", {"csrf": token, "lang": CODE, "next": "/games"})
    assert page.root.all("html")[0].attrs["lang"] == CODE
    with shelf.read() as conn:
        assert conn.scalars(select(PEOPLE.c.lang)).all() == [CODE]
    missing = app.test_client().get("/api/v1/games/nothing", headers={"Accept-Language": CODE})
    assert missing.json is not None
    assert missing.json["title"] == "Nixtum"
    assert missing.json["detail"] == "It does not exist, or you are not allowed to see it."


@pytest.mark.usefixtures("third")
def test_emails_speak_the_third_language(ann: Browser, bob: Browser, shelf: Store) -> None:
    start(ann, bob)
    with shelf.write() as conn:
        conn.execute(update(PEOPLE).values(lang=CODE))
    with shelf.read() as conn:
        row = conn.execute(select(OUTBOX).where(OUTBOX.c.kind == "turn")).first()
        assert row is not None
        mail = message_from_bytes(by_kind.mail(shelf, conn, row, row.created_at).source, policy=policy.default)
    plain = mail.get_body(("plain",))
    assert plain is not None
    said = " ".join(plain.get_content().split())
    assert "TUX EST" in said
    assert "Situx " in said
    assert "THE STORY SO FAR" in said
