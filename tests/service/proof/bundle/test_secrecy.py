"""A seat's file of a running game reveals nothing about the others: neither their cards nor their names."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chain import StoredPly, commitment, link, part_key
from domain.game import fold
from service.database.store import Stored
from service.proof.bundle import page
from service.proof.bundle.format import write
from service.proof.bundle.make import bundle
from tests.contract.games import RandomGame
from tests.service.proof.bundle import bundles

TITLES = sorted(bundles.ALL)


def log_so_far(title: str) -> tuple[RandomGame, list[StoredPly]]:
    """A random game close to its end, when it has hidden the most."""
    played = bundles.random_game(title, 3)
    return played, bundles.log_of(played, played.game.id, len(played.plies) - 1)


def files(played: RandomGame, log: list[StoredPly], seat: int | None) -> list[bytes]:
    """The file as lines and as a page."""
    title = played.title
    game = fold(played.game.id, title, [title.chain.decode(it.open, it.sealed) for it in log])
    stored = Stored(None, game, played.secret, log[-1].link)
    made = bundle(stored, log, seat)
    return [write(made), page.page(made, stored, log, seat, "en")]


@pytest.mark.long("ticket_to_ride")
@pytest.mark.parametrize("title", TITLES)
def test_a_seats_file_has_no_sealed_part_or_key_of_others(title: str):
    played, log = log_so_far(title)
    others = 0
    for seat in (None, *range(1, played.seats + 1)):
        for raw in files(played, log, seat):
            assert played.secret.hex().encode() not in raw
            for ply in log:
                for part in ply.sealed:
                    key = part_key(played.secret, played.game.id, ply.number, part.index).hex().encode()
                    said = json.dumps(part.body.decode(), ensure_ascii=False).encode()
                    assert (key in raw) == (part.seat == seat)
                    assert (said in raw) == (part.seat == seat)
                    others += part.seat != seat
    assert others > 10


@pytest.mark.parametrize("title", TITLES)
def test_two_worlds_behind_one_view_make_the_same_file(title: str):
    """All hidden holdings of others differ. In the file only their hashes do."""
    played, log = log_so_far(title)
    for seat in (None, 1, 2):
        other = another_world(played, log, seat)
        assert [ply.link for ply in other] != [ply.link for ply in log]
        true = Stored(None, played_until(played, log), played.secret, b"")  # its hidden state is not in the lines
        same, too = (
            files_without_hashes(bundles.bundle_of(played.title, played.game.id, played.secret, log, seat)),
            files_without_hashes(write(bundle(true, other, seat))),
        )
        assert same == too


def played_until(played: RandomGame, log: list[StoredPly]) -> Any:
    return fold(played.game.id, played.title, [played.title.chain.decode(it.open, it.sealed) for it in log])


def another_world(played: RandomGame, log: list[StoredPly], seat: int | None) -> list[StoredPly]:
    """The log with other bytes in each part that is not the seat's, and links to match."""
    before, other = bundles.first_link(played.game.id), []
    for ply in log:
        parts = tuple(part if part.seat == seat else replace(part, body=part.body[::-1] + b"!") for part in ply.sealed)
        promised = [commitment(part_key(played.secret, played.game.id, ply.number, it.index), it.body) for it in parts]
        before = link(before, ply.open, promised)
        other.append(StoredPly(ply.number, ply.open, parts, before))
    return other


def files_without_hashes(raw: bytes) -> list[Any]:
    header, *plies, end = bundles.lines_of(raw)
    for ply in plies:
        ply["link"] = ""
        for part in ply["sealed"]:
            part["commitment"] = "" if "body" not in part else part["commitment"]
    return [{**header, "head": ""}, *plies, {**end, "digest": ""}]


@pytest.mark.parametrize("title", TITLES)
def test_boards_and_sentences_show_only_the_readers_view_and_parts(title: str):
    """The page shows only the `view` of its reader's seat, and the events in its reader's parts."""
    played, log = log_so_far(title)
    real, seats, told = played.title, [], []

    def view(state: Any, seat: int | None) -> Any:
        seats.append(seat)
        return real.rules.view(state, seat)

    def narrate(events: Any) -> Any:
        told.append(tuple(events))
        return real.face.narrate(events)

    spied = replace(real, rules=replace(real.rules, view=view), face=replace(real.face, narrate=narrate))
    game = replace(played_until(played, log), title=spied)
    stored = Stored(None, game, played.secret, log[-1].link)
    for seat in (None, 1):
        seats.clear()
        told.clear()
        page.page(bundle(stored, log, seat), stored, log, seat, "en")
        assert set(seats) == {seat}
        own = [[part for part in ply.sealed if part.seat == seat] for ply in log]
        assert told == [real.chain.decode(ply.open, parts).events for ply, parts in zip(log, own, strict=True)]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_seats_are_numbers_in_it(lang: str):
    played, log = log_so_far("toy")
    game = played_until(played, log)
    stored = Stored(None, game, played.secret, log[-1].link)
    raw = page.page(bundle(stored, log, 1), stored, log, 1, lang).decode()
    assert ("Seat 2 draws a card." if lang == "en" else "Platz 2 ") in raw
