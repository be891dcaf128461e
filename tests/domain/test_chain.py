"""The stored bytes: golden vectors, sealed parts, the effect of some of the keys, and the detection of
a changed log.
"""

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from domain.chain import (
    FINGERPRINT_LENGTH,
    Ply,
    SealedPart,
    canonical,
    commitment,
    fingerprint,
    first_link,
    link,
    message_owner,
    part_key,
    secret_commitment,
)
from domain.chance import Draw
from domain.messages import owner_of, redact
from tests.domain import byhand
from tests.domain.sample import CHAIN, Bid, BidMade, Counted, Opened, Pocket, Pocketed, Speak, Spoken

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "chain.json").read_text())
SECRET, GAME = bytes.fromhex(GOLDEN["secret"]), GOLDEN["game"]
AT = 1_790_000_000_000

PLIES = (
    Ply(1, 1, AT, None, "service", Speak("Zug, bitte: „Québec“"), (Spoken("Zug, bitte: „Québec“"),)),
    Ply(2, 1, AT + 1, 2, "player", Pocket("red"), (Pocketed(2, 1, ("red",)),), (Draw("deck", 5, 2, (3, 0)),)),
    Ply(3, 1, AT + 2, 1, "bot", Bid(7), (BidMade(1, 7),)),
    Ply(
        4,
        2,
        AT + 3,
        3,
        "clock",
        Speak("all"),
        (BidMade(1, 2), BidMade(3, 4), Pocketed(2, 2, ("a", "b")), Spoken("x"), BidMade(2, 9), Opened(("a",))),
        (Draw("open", 3, None, (2,)), Draw("deck", 4, 1, (1,))),
    ),
    Ply(5, 2, AT + 4, 2, "player", Speak(""), (Counted(0),)),
)
"""The contents of the golden file, as plies: open and quiet, own fields, wholly hidden, several seats' parts, plain."""

PAIRS = [pytest.param(ply, vector, id=f"ply{ply.number}") for ply, vector in zip(PLIES, GOLDEN["plies"], strict=True)]


# ==== golden vectors ==============================================================================
@pytest.mark.parametrize(("ply", "vector"), PAIRS)
def test_every_ply_encodes_to_its_golden_bytes(ply, vector):
    """A released byte never changes: the file, typed by hand, is the guard."""
    body, sealed = CHAIN.encode(ply)
    assert body.decode() == vector["open"]
    assert [[part.index, part.seat, part.body.decode()] for part in sealed] == vector["sealed"]


def test_golden_links_agree_with_the_second_implementation():
    link_now = byhand.first_link(GAME)
    assert first_link(GAME) == link_now
    assert GOLDEN["first_link"] == link_now.hex()
    for ply, vector in zip(PLIES, GOLDEN["plies"], strict=True):
        stored = CHAIN.store(ply, link_now, GAME, SECRET)
        by_hand = [
            byhand.commitment(SECRET, GAME, ply.number, index, body.encode()) for index, _, body in vector["sealed"]
        ]
        ours = [commitment(part_key(SECRET, GAME, ply.number, part.index), part.body) for part in stored.sealed]
        assert [each.hex() for each in ours] == [each.hex() for each in by_hand] == vector["commitments"]
        link_now = byhand.next_link(link_now, vector["open"].encode(), by_hand)
        assert stored.link == link_now == bytes.fromhex(vector["link"])
        assert stored.fingerprint == fingerprint(link_now) == vector["link"][:FINGERPRINT_LENGTH]


@pytest.mark.parametrize(("ply", "vector"), PAIRS)
def test_golden_bytes_decode_to_their_plies(ply, vector):
    sealed = [SealedPart(index, seat, body.encode()) for index, seat, body in vector["sealed"]]
    assert CHAIN.decode(vector["open"].encode(), sealed) == ply


def test_the_secret_is_published_as_its_hash():
    assert secret_commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


# ==== what a part of the sealed parts shows =======================================================
def seen(ply: Ply, viewer: int | None) -> Ply:
    """Return the part of ``ply`` that ``viewer`` may see, computed from the messages alone."""
    events = tuple(part for e in ply.events if (part := redact(e, owner_of(e), viewer)) is not None)
    draws = tuple(d if d.seat is None or d.seat == viewer else replace(d, picks=UNSET) for d in ply.draws)
    if ply.hidden and ply.seat != viewer:
        return Ply(ply.number, ply.rules)
    command = redact(ply.command, ply.seat, viewer)
    return replace(ply, command=command, events=events, draws=draws)


def check_partial(ply: Ply) -> None:
    """Check that decoding with one seat's parts shows exactly what that seat may see, and with all of
    them everything.
    """
    body, sealed = CHAIN.encode(ply)
    assert CHAIN.decode(body, sealed) == ply
    for viewer in (None, 1, 2, 3):
        shown = CHAIN.decode(body, [part for part in sealed if part.seat == viewer])
        assert shown == seen(ply, viewer)


@pytest.mark.parametrize("ply", PLIES, ids=lambda ply: f"ply{ply.number}")
def test_one_seats_parts_show_what_it_may_see(ply):
    check_partial(ply)


@pytest.mark.parametrize("ply", PLIES, ids=lambda ply: f"ply{ply.number}")
def test_a_command_is_read_without_its_events(ply):
    given = CHAIN.given(CHAIN.store(ply, first_link(GAME), GAME, SECRET))
    assert (given.number, given.rules, given.at, given.seat, given.cause, given.command) == (
        ply.number, ply.rules, ply.at, ply.seat, ply.cause, ply.command
    )  # fmt: skip


SEATS = st.integers(1, 3)
EVENT = st.one_of(
    st.builds(Spoken, st.text(max_size=5)),
    st.builds(Pocketed, SEATS, st.integers(), st.tuples(st.text(max_size=3))),
    st.builds(BidMade, SEATS, st.integers(-(2**53), 2**53)),
    st.builds(Opened, st.tuples(st.text(max_size=3))),
)
DRAW = st.builds(Draw, st.text(max_size=5), st.integers(0, 50), st.none() | SEATS, st.just((1,)) | st.just(()))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_ply_survives_encoding_whole_and_in_part(data):
    events = canonical(data.draw(st.lists(EVENT, min_size=1, max_size=6)))
    seat = data.draw(SEATS)
    if all(event.HIDDEN for event in events):  # such a ply is one seat's own
        events = tuple(replace(event, seat=seat) for event in events)
        command, draws = data.draw(st.builds(Bid, st.integers())), ()
    else:
        command = data.draw(st.builds(Speak, st.text(max_size=5)) | st.builds(Pocket, st.text(max_size=3)))
        draws = tuple(data.draw(st.lists(DRAW, max_size=3)))
    at = data.draw(st.integers(1, 2**50))
    check_partial(Ply(data.draw(st.integers(1, 10**6)), 1, at, seat, "player", command, events, draws))


def test_a_hidden_ply_shows_others_its_number_and_nothing_else():
    body, sealed = CHAIN.encode(PLIES[2])
    assert json.loads(body) == {"ply": 3, "rules": 1}
    assert [part.seat for part in sealed] == [1]


def test_hidden_events_leave_no_gap_that_others_could_see():
    """Neither places nor counts reveal them."""
    with_bids = PLIES[3]
    without = replace(with_bids, events=tuple(e for e in with_bids.events if not e.HIDDEN))
    assert CHAIN.encode(with_bids)[0] == CHAIN.encode(without)[0]
    mine = {part.seat: part.body for part in CHAIN.encode(with_bids)[1]}
    alone = replace(with_bids, events=tuple(e for e in with_bids.events if not (e.HIDDEN and e.seat != 2)))
    assert {part.seat: part.body for part in CHAIN.encode(alone)[1]}[2] == mine[2]


# ==== the order the format keeps ==================================================================
def test_neighbouring_hidden_events_stand_in_the_order_of_their_seats():
    said = Spoken("x")
    events = (BidMade(3, 1), BidMade(1, 1), BidMade(3, 2), said, BidMade(2, 1))
    assert canonical(events) == (BidMade(1, 1), BidMade(3, 1), BidMade(3, 2), said, BidMade(2, 1))


def test_open_events_keep_their_order():
    events = (Spoken("b"), Spoken("a"), Pocketed(2, 1, ()), Pocketed(1, 1, ()))
    assert canonical(events) == events


# ==== what plies say of themselves ================================================================
def test_plies_know_whether_they_are_quiet_hidden_or_barriers():
    say, pocket, bid, mixed, _ = PLIES
    assert (say.hidden, say.quiet, say.barrier) == (False, False, False)
    assert (pocket.hidden, pocket.quiet) == (False, True)
    assert pocket.barrier, "it asked chance"
    assert (bid.hidden, bid.quiet, bid.barrier) == (True, True, False)
    assert (mixed.hidden, mixed.quiet, mixed.barrier) == (False, False, True)
    assert replace(mixed, draws=()).barrier, "it brought something to light"
    nothing = replace(say, events=())
    assert (nothing.hidden, nothing.quiet, nothing.barrier) == (False, False, False)


def test_messages_belong_to_the_seat_of_the_ply_or_of_the_event():
    ply = PLIES[3]
    assert message_owner(ply, ply.command) == 3
    assert message_owner(ply, ply.events[0]) == 1
    assert message_owner(ply, Spoken("x")) is None


# ==== what a changed log betrays ==================================================================
def test_every_change_changes_the_link():
    base = CHAIN.store(PLIES[3], first_link(GAME), GAME, SECRET)
    other_open = CHAIN.store(replace(PLIES[3], at=AT), first_link(GAME), GAME, SECRET)
    events = (BidMade(1, 3), *PLIES[3].events[1:])
    other_sealed = CHAIN.store(replace(PLIES[3], events=events), first_link(GAME), GAME, SECRET)
    links = [
        base,
        other_open,
        other_sealed,
        CHAIN.store(PLIES[3], bytes(32), GAME, SECRET),
        CHAIN.store(PLIES[3], first_link(GAME), GAME, bytes(32)),
        CHAIN.store(PLIES[3], first_link(GAME), "x", SECRET),
    ]
    assert len({each.link for each in links}) == len(links)
    assert other_sealed.open == base.open, "a changed secret part shows in nothing but the link"


def test_omitting_or_swapping_commitments_changes_the_link():
    one, two = commitment(b"1", b"a"), commitment(b"2", b"b")
    links = {link(bytes(32), b"{}", each) for each in ([], [one], [one, two], [two, one])}
    assert len(links) == 4


def test_each_key_opens_one_part_of_one_ply_of_one_game():
    keys = {part_key(SECRET, *each) for each in ((GAME, 1, 0), (GAME, 1, 1), (GAME, 2, 0), ("other", 1, 0))}
    assert len(keys) == 4


@pytest.mark.parametrize(
    "open",
    [
        b"",
        b"{}",
        b"[]",
        b'{"ply":1}',
        b'{"ply":1,"rules":1,"extra":0}',
        b'{"ply":1.5,"rules":1}',
        b"\xff",
        b'{"ply":1,"rules":1,"events":[{"event":"Unheard"}]}',
        b'{"ply":1,"rules":1,"command":{"command":"Unheard"}}',
    ],
)
def test_invalid_bytes_are_refused(open):
    with pytest.raises((msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError)):
        CHAIN.decode(open)


def test_older_events_are_converted_when_read():
    ply = CHAIN.decode(b'{"ply":1,"rules":1,"at":5,"cause":"service","events":[{"event":"Counted","dozens":3}]}')
    assert ply.events == (Counted(36),)
