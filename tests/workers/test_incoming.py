"""Answers to letters: the effect of a mail, its receipt, and that both happen once."""

import io
import json
import zipfile
from email.message import EmailMessage

import pytest
from sqlalchemy import func, select, update

from domain.lifecycle import ProposeRewind, RefuseRewind, TakeBack
from service.base.clock import DAY
from service.database.store import GAMES, Store
from service.database.work import Work
from service.games import absences, daily, lobby, notes, opening
from service.games.rights import ByPerson
from service.keeping import personal
from service.notices import replies
from service.notices.owing import PEOPLE
from service.operators import acts
from service.operators.acts import AT_THE_COMMAND_LINE
from service.people import addresses, mail_settings
from service.post import inbox
from service.post.inbox import INCOMING
from service.post.incoming import Incoming, Question, examine
from tests.answers import Post, written
from tests.service.lanterns import ANN, BOB, NOON, SETTLE, game, give
from tests.toy import Choose, Walk
from tests.workers.post import outbox, person, table, text_of
from workers import housekeeping, incoming
from workers import outbox as sending
from workers.smtp import Bounced


@pytest.fixture
def post(store: Store) -> Post:
    return Post(store)


@pytest.fixture
def ann(store: Store, post: Post) -> str:
    """Return the id of a game in which one of two leads and has a letter about it."""
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    hands = game(store, game_id).state.hands
    for seat in sorted(hands, key=lambda seat: (-min(hands[seat]), seat)):  # the next leader chooses first
        give(store, game_id, seat, Choose(min(hands[seat])))
    post.at = NOON + SETTLE + 1
    post.deliver()
    return game_id


def plies(store: Store, game_id: str) -> int:
    return game(store, game_id).version


def commands(store: Store, game_id: str) -> list[object]:
    with store.read() as conn:
        return [ply.command for _, ply in store.plies(conn, game_id, store.titles["toy"], 0)]


NUMBERS = {"Ann": 1, "Bob": 2}


def leader_of(store: Store, game_id: str) -> str:
    [seat] = game(store, game_id).asked
    return {ANN: "Ann", BOB: "Bob"}[seat]


def flat(mail: object) -> str:
    return " ".join(text_of(mail).split())  # type: ignore[arg-type]


# ==== what a mail does ============================================================================
def test_an_answer_moves_and_its_receipt_tells_each_lines_result(store: Store, post: Post, ann: str) -> None:
    receipt = post.answer(post.letter(leader_of(store, ann)), "Hi!\nwalk 2\n\nBest wishes\nAnn")
    assert "You wrote “Hi!”: This is not an order." in flat(receipt)
    assert "You wrote “walk 2”: Done." in flat(receipt)
    assert "While it is your turn, you can take back your last move" in flat(receipt)
    assert receipt["Auto-Submitted"] == "auto-replied"
    assert receipt["In-Reply-To"].endswith("@client.example.org>")
    assert commands(store, ann)[-1] == Walk(2)


def test_a_receipt_is_answered_like_any_other_letter_with_its_own_numbers(store: Store, post: Post, ann: str) -> None:
    receipt = post.answer(post.letter(leader_of(store, ann)), "look")
    before = plies(store, ann)
    assert "[1] walk" in flat(receipt)
    second = post.answer(receipt, "walk 1")
    third = post.answer(second, "undo")
    assert "take back" not in flat(third).split("YOUR LINES")[0]
    assert plies(store, ann) == before + 2
    assert len({it["Reply-To"] for it in (receipt, second, third)}) == 3


def test_a_receipt_tells_how_many_moves_can_be_taken_back_or_why_none(store: Store, post: Post, ann: str) -> None:
    [seat] = game(store, ann).asked
    for _ in range(19):
        give(store, ann, seat, Walk(1), at=post.at)
        give(store, ann, seat, TakeBack(plies(store, ann)), at=post.at)
    look = post.answer(post.letter(leader_of(store, ann)), "look")
    walked = post.answer(look, "walk 1")
    assert "Take-backs left until one of your moves becomes final: 1." in flat(walked)
    again = post.answer(post.answer(walked, "take back"), "walk 1")
    assert "take back" not in flat(again).split("YOUR LINES")[0]
    refused = flat(post.answer(again, "take back"))
    assert "You have taken back 20 times. You can do so again once one of your moves has become final." in refused
    assert "ST 7" in refused


def test_one_impossible_line_stops_all(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    for text, said in (
        ("walk 2\nwalk 99", "“walk 99”: "),
        ("walk 2\nwalk 1 purple", "“purple” is not a word of this game"),
        ("walk 2\n1", "“1”: Only the first order of an email can be a number"),
        ("walk 2\n[2] halt", "copied together with its number"),
        ("take back\nwalk 2", "ST 7"),
    ):
        receipt = flat(post.answer(letter, text))
        assert "NOTHING WAS DONE" in receipt
        assert said in receipt, receipt
        assert "“walk 2”: Not done." in receipt
    assert plies(store, ann) == before


def test_preview_shows_and_does_nothing(store: Store, post: Post, ann: str) -> None:
    before = plies(store, ann)
    receipt = flat(post.answer(post.letter(leader_of(store, ann)), "preview\nwalk 2"))
    assert "PREVIEW (NOTHING WAS DONE)" in receipt
    assert "“walk 2”: This is what would happen:" in receipt
    assert plies(store, ann) == before


def test_talk_is_echoed_and_hinders_nothing(store: Store, post: Post, ann: str) -> None:
    receipt = flat(post.answer(post.letter(leader_of(store, ann)), "Walk on, Bob!\nwalk 1\nstop\nwalk 1"))
    assert "“Walk on, Bob!”: This is not an order." in receipt
    assert receipt.count("Done.") == 1
    assert commands(store, ann)[-1] == Walk(1)


def test_orders_after_the_end_of_the_turn_are_not_executed_and_reported(store: Store, post: Post) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    post.deliver()
    first, second = sorted(game(store, game_id).state.hands[ANN])[:2]
    receipt = flat(post.answer(post.letter("Ann"), f"choose {first}\nchoose {second}"))
    assert "1 OF 2 LINES DONE" in receipt
    assert f"“choose {first}”: Done." in receipt
    assert "Not done, because your turn would already be over." in receipt
    assert game(store, game_id).asked == (BOB,)


def test_an_answer_to_an_earlier_position_does_nothing_and_gets_the_news(store: Store, post: Post, ann: str) -> None:
    letter = post.letter(leader_of(store, ann))
    seat = game(store, ann).asked[0]
    give(store, ann, seat, Walk(2))
    before = plies(store, ann)
    receipt = flat(post.answer(letter, "walk 1"))
    assert "BECAUSE THE GAME HAS MOVED ON" in receipt
    assert "SINCE THAT EMAIL" in receipt
    assert "[1] walk" in receipt
    assert plies(store, ann) == before


def test_agreeing_and_refusing_concern_the_letters_proposal(store: Store, post: Post, ann: str) -> None:
    proposer = game(store, ann).asked[0]
    other, whom = (ANN, "Ann") if proposer == BOB else (BOB, "Bob")
    to = game(store, ann).version
    give(store, ann, proposer, Walk(1))
    give(store, ann, proposer, ProposeRewind(to, (other,), post.at + DAY))
    post.deliver()
    letter = post.letter(whom)
    assert "proposes to rewind" in letter["Subject"]
    post.at += DAY // 4
    give(store, ann, proposer, RefuseRewind(), at=post.at)
    give(store, ann, proposer, ProposeRewind(to - 1, (other,), post.at + DAY), at=post.at)
    before = plies(store, ann)
    for text in ("agree", "refuse"):
        receipt = flat(post.answer(letter, text))
        assert "NOTHING WAS DONE" in receipt
        assert f"There is a proposal for a rewind to move {to - 1}." in receipt
        assert plies(store, ann) == before
    post.at += 1
    assert "“agree”: Done." in flat(post.answer(post.answer(letter, "look"), "agree"))
    assert plies(store, ann) > before


# ==== what changes no position ====================================================================
def test_an_answer_can_set_notes_days_off_and_the_digest(store: Store, post: Post, ann: str) -> None:
    name = leader_of(store, ann)
    letter, before = post.letter(name), plies(store, ann)
    person_id = NUMBERS[name]
    receipt = flat(post.answer(letter, "note keep the 7 for later\nvacation 24.12.-31.12.\nslower"))
    assert receipt.count("Done.") == 3
    with store.read() as conn:
        assert notes.of(conn, person_id, ann) == ["keep the 7 for later"]
        (days,) = absences.of(conn, person_id)
        assert (days.first_day[5:], days.last_day[5:]) == ("12-24", "12-31")
        assert mail_settings.of(conn, person_id).digest_at is not None
    assert "keep the 7 for later" in receipt.split("YOUR NOTES")[1]
    again = flat(post.answer(letter, "vacation 24.12.-31.12.\nfaster"))
    assert again.count("Done.") == 2
    bad = flat(post.answer(letter, "vacation soon"))
    assert "Write days like this" in bad
    with store.read() as conn:
        assert mail_settings.of(conn, person_id).digest_at is None
    assert plies(store, ann) == before


def test_a_receipt_states_its_language_and_has_a_picture_after_a_move(store: Store, post: Post, ann: str) -> None:
    letter = post.letter(leader_of(store, ann))
    refused, looked = post.answer(letter, "walk 99"), post.answer(letter, "look")
    assert [each["Content-Language"] for each in (letter, refused)] == ["en", "en"]
    pictured = [any(part.get_content_type() == "image/png" for part in each.walk()) for each in (refused, looked)]
    assert pictured == [False, True]


def test_resigning_needs_a_confirmation(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    receipt = post.answer(letter, "resign")
    assert "DO YOU REALLY WANT TO RESIGN?" in flat(receipt)
    post.answer(letter, "resign")
    assert plies(store, ann) == before
    post.answer(receipt, "resign")
    assert game(store, ann).status == "over"


# ==== once ========================================================================================
def test_a_repeated_mail_is_the_same_and_a_second_answer_is_too_late(store: Store, post: Post, ann: str) -> None:
    letter = post.letter(leader_of(store, ann))
    raw = written(letter["Reply-To"], "walk 1")
    first = post.take(raw, letter["Reply-To"])
    assert post.take(b"Received: from elsewhere\n" + raw, letter["Reply-To"]) == first
    post.work_off()
    before = plies(store, ann)
    assert post.take(raw, letter["Reply-To"]) == first
    post.work_off()
    assert plies(store, ann) == before
    assert len(outbox(store, "receipt")) == len(post.receipts()) == 1
    assert "BECAUSE THE GAME HAS MOVED ON" in flat(post.answer(letter, "walk 1"))


class Killed(BaseException):
    """Stands for kill -9."""


@pytest.mark.parametrize("point", ["read", "moved", "taken back", "marked"])
def test_a_worker_that_dies_anywhere_acts_once_and_answers_once(
    store: Store, post: Post, ann: str, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    moved = post.answer(letter, "walk 1")
    text = "take back\nwalk 2\nnote once"
    post.take(written(moved["Reply-To"], text), moved["Reply-To"])
    calls = {"n": 0}

    def dying(question: Question) -> Incoming:
        if point == "read":
            raise Killed
        return examine(question)

    real_submit, real_mark = incoming.by_mail.submit, incoming._mark

    def submit(*given: object) -> object:
        answer = real_submit(*given)  # type: ignore[arg-type]
        calls["n"] += 1
        if (point, calls["n"]) in (("taken back", 1), ("moved", 2)):
            raise Killed
        return answer

    def mark(*given: object) -> None:
        real_mark(*given)  # type: ignore[arg-type]
        if point == "marked":
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(incoming.by_mail, "submit", submit)
        patch.setattr(incoming, "_mark", mark)
        with pytest.raises(Killed):
            incoming.work_off(store, dying, now=lambda: post.at)
    post.at += 10 * 60_000
    post.work_off()
    assert commands(store, ann)[-1] == Walk(2)
    assert plies(store, ann) == before + 3
    assert len(outbox(store, "receipt")) == 2
    receipts = [flat(mail) for mail in post.receipts()]
    assert len(receipts) == 1
    assert receipts[0].count("Done.") == 3, receipts[0]
    with store.read() as conn:
        assert sum(notes.of(conn, each, ann).count("once") for each in (1, 2)) == 1


def test_an_answer_about_several_games_stays_with_the_one_it_moved_in(
    store: Store, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = person(store, "Ann"), person(store, "Bob")
    games = [table(store, ann, bob), table(store, ann, bob)]
    card, other = (min(game(store, it).state.hands[ANN]) for it in games)
    give(store, games[1], ANN, Choose(other))
    letter = "<together.1@localhost>"
    own = replies.issue(store.settings, letter, "digest", person_id=ann)
    assert own is not None
    seats = {it: game(store, it).version_for(ANN) for it in games}
    parts = [
        replies.issue(store.settings, letter, "turn", person_id=ann, game_id=it, seat=ANN, version=version)
        for it, version in seats.items()
    ]
    with store.write() as conn:
        replies.keep(conn, [own, *filter(None, parts)], [], post.at)
    post.take(written(own.address, f"choose {card}"), own.address)

    def dying(*_given: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(incoming, "_mark", dying)
        with pytest.raises(Killed):
            post.work_off()
    assert game(store, games[0]).asked == (BOB,)
    post.at += 10 * 60_000
    post.work_off()
    (receipt,) = post.receipts()
    assert f"“choose {card}”: Done." in flat(receipt)


def test_mail_of_machines_moves_nothing_and_gets_no_answer(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    post.take(written(letter["Reply-To"], "walk 1", Auto_Submitted="auto-replied"), letter["Reply-To"])
    post.work_off()
    assert plies(store, ann) == before
    assert outbox(store, "receipt") == []
    with store.read() as conn:
        assert conn.scalars(select(INCOMING.c.what)).all() == ["automatic"]


def test_an_unreadable_mail_is_answered_once_in_words(store: Store, post: Post, ann: str) -> None:
    letter = post.letter(leader_of(store, ann))
    raw = b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\nContent-Type: text/plain\n\nwalk 1\n" * 200
    post.take(raw, letter["Reply-To"])
    post.work_off()
    (receipt,) = post.receipts()
    assert "Please send plain text" in flat(receipt)


def test_mail_to_unknown_addresses_and_oversized_mail_is_not_stored(store: Store, post: Post, ann: str) -> None:
    letter = post.letter(leader_of(store, ann))
    with store.write() as conn:
        for address in ("g+aaaaaaaaaaaaaaaaaaaaaaaaaa@localhost", "ann@example.org", ""):
            with pytest.raises(inbox.NobodysAddress):
                inbox.keep(conn, store.settings, address, "", b"x", NOON)
        with pytest.raises(inbox.TooLarge):
            inbox.keep(conn, store.settings, letter["Reply-To"], "", b"x" * 1_000_001, NOON)


def test_a_letter_to_an_old_address_acts_no_more_and_its_person_is_told_at_the_new_one(
    store: Store, post: Post, ann: str
) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    with store.write() as conn:
        whose = PEOPLE.c.name == leader_of(store, ann)
        conn.execute(update(PEOPLE).where(whose).values(address_since=NOON + 1, email="new@example.org", lang="de"))
        conn.execute(update(PEOPLE).where(whose).values(mail_flagged_at=NOON))
    raw = written(letter["Reply-To"], "walk 1")
    for _ in range(2):
        post.take(raw, letter["Reply-To"])
        post.work_off()
    assert plies(store, ann) == before
    with store.read() as conn:
        assert conn.scalars(select(PEOPLE.c.mail_flagged_at).where(whose)).all() == [NOON], (
            "no mail reached the new one"
        )
    with store.write() as conn:
        addresses.unflag(conn, 1, post.at)
        addresses.unflag(conn, 2, post.at)
    (receipt,) = post.receipts()
    assert receipt["To"] == "new@example.org"
    assert "Du hast auf einen Brief an deine frühere Adresse geantwortet." in flat(receipt)
    post.take(written(letter["Reply-To"], "walk 1", Auto_Submitted="auto-replied"), letter["Reply-To"])
    post.work_off()
    assert post.receipts() == []


def test_a_blocked_person_gets_no_answer(store: Store, post: Post, ann: str) -> None:
    """They read the reason on the sign-in page; no other mail goes to them."""
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    acts.block(store, AT_THE_COMMAND_LINE, NUMBERS[leader_of(store, ann)], "Rude", post.at)
    post.take(written(letter["Reply-To"], "walk 1"), letter["Reply-To"])
    post.work_off()
    assert plies(store, ann) == before
    assert outbox(store, "receipt") == []
    with store.read() as conn:
        assert conn.scalars(select(INCOMING.c.what)).all() == ["unknown"]


def test_a_person_who_stopped_all_mail_still_gets_receipts(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    with store.write() as conn:
        mail_settings.stop_mail(conn, NUMBERS[leader_of(store, ann)], post.at)
    assert "“walk 2”: Done." in flat(post.answer(letter, "walk 2"))
    assert plies(store, ann) == before + 1


def test_a_person_who_may_no_longer_see_the_table_is_told(store: Store, post: Post) -> None:
    joined = post.answer(invited(store, post), "join")
    assert "“join”: Done." in flat(joined)
    with store.read() as conn:
        [cleo] = conn.scalars(select(PEOPLE.c.id).where(PEOPLE.c.email == "cleo@example.org"))
        [game_id] = conn.scalars(select(GAMES.c.id))
    lobby.leave(Work(store), ByPerson(cleo), game_id)
    receipt = post.answer(joined, "look")
    assert "about a table that is no longer open to you" in flat(receipt)
    assert "By mail" not in receipt.as_string(), "it names nothing of the table"


def test_a_receipt_about_a_table_that_its_reader_has_left_since_is_not_sent(store: Store, post: Post) -> None:
    joined = post.answer(invited(store, post), "join")
    post.take(written(joined["Reply-To"], "look"), joined["Reply-To"])
    post.work_off()
    with store.read() as conn:
        [cleo] = conn.scalars(select(PEOPLE.c.id).where(PEOPLE.c.email == "cleo@example.org"))
        [game_id] = conn.scalars(select(GAMES.c.id))
    lobby.leave(Work(store), ByPerson(cleo), game_id)
    assert post.receipts() == []
    assert [row.state for row in outbox(store, "receipt")] == ["sent", "superseded"]


@pytest.mark.parametrize("how", ["renewed", "called off", "begun"])
def test_an_ended_invitation_is_reported_and_makes_no_account(store: Store, post: Post, how: str) -> None:
    letter = invited(store, post)
    host = ByPerson(1)
    with store.read() as conn:
        [game_id] = conn.scalars(select(GAMES.c.id))
    if how == "renewed":
        lobby.renew_invitation(Work(store), host, game_id)
    elif how == "called off":
        lobby.cancel(Work(store), host, game_id)
    else:
        for name in ("Ann", "Bob"):
            invite = lobby.invitation(Work(store), host, game_id)
            lobby.join(Work(store), ByPerson(person(store, name), invite=invite), game_id, choice={})
        lobby.start(Work(store), host, game_id)
    for text in ("join", "Who are you?"):
        receipt = post.answer(letter, text)
        assert receipt["To"] == "cleo@example.org"
        assert "about a table that is no longer open to you" in flat(receipt)
        assert receipt["Reply-To"] is None
    with store.read() as conn:
        assert conn.scalars(select(PEOPLE.c.id).where(PEOPLE.c.email == "cleo@example.org")).all() == []


def test_an_invited_person_may_talk_first_and_join_by_answering_the_receipt(store: Store, post: Post) -> None:
    person(store, "Cleo")
    letter = invited(store, post)
    receipt = post.answer(letter, "Who are you?")
    receipt = post.answer(receipt, "Hm.")
    assert "“join”: Done." in flat(post.answer(receipt, "join"))


def test_talk_in_answer_to_an_invitation_renews_it_for_nobody(store: Store, post: Post) -> None:
    """The receipt offers the invitation that was answered, whatever happened to it since."""
    letter = invited(store, post)
    post.take(written(letter["Reply-To"], "Who are you?"), letter["Reply-To"])
    post.work_off()
    with store.read() as conn:
        [game_id] = conn.scalars(select(GAMES.c.id))
    lobby.renew_invitation(Work(store), ByPerson(1), game_id)
    (receipt,) = post.receipts()
    assert "no longer open to you" in flat(post.answer(receipt, "join"))


def test_an_invitation_can_be_answered_while_its_recipient_is_known(store: Store, post: Post) -> None:
    letter = invited(store, post)
    assert replies.OF_STRANGERS < housekeeping.KEPT_OF_STRANGERS < replies.LASTS
    post.at += replies.OF_STRANGERS - 1
    post.take(written(letter["Reply-To"], "join"), letter["Reply-To"])
    post.at += DAY
    housekeeping.forget_expired(store, post.at)
    post.work_off()
    (receipt,) = post.receipts()
    assert "“join”: Done." in flat(receipt)


def test_an_answer_to_an_old_invitation_is_refused_on_arrival(store: Store, post: Post) -> None:
    letter = invited(store, post)
    post.at += replies.OF_STRANGERS
    with pytest.raises(inbox.NobodysAddress):
        post.take(written(letter["Reply-To"], "join"), letter["Reply-To"])
    housekeeping.forget_expired(store, post.at + 2 * DAY)
    assert kept(store) == (0, 0)


def test_an_answer_to_an_erased_persons_invitation_is_refused_on_arrival(store: Store, post: Post) -> None:
    letter = invited(store, post)
    personal.erase(store, 1, post.at)
    with pytest.raises(inbox.NobodysAddress):
        post.take(written(letter["Reply-To"], "join"), letter["Reply-To"])


def test_a_mail_that_crashes_us_gets_an_apology_and_a_receipt_when_read_again(
    store: Store, post: Post, ann: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    number = post.take(written(letter["Reply-To"], "walk 2"), letter["Reply-To"])
    post.take(written(letter["Reply-To"], "walk 2", Auto_Submitted="auto-replied"), letter["Reply-To"])

    def broken(*_given: object) -> object:
        raise KeyError("walk 2")

    with monkeypatch.context() as patch:
        patch.setattr(incoming.by_mail, "carry_out", broken)
        for _ in range(incoming.GIVE_UP):
            assert outbox(store, "receipt") == []
            post.work_off()
            post.at += 5 * 60 * 60_000
    (receipt,) = post.receipts()
    assert "YOUR EMAIL COULD NOT BE PROCESSED" in flat(receipt)
    assert "KeyError" not in receipt.as_string()
    acts.read_again(store, AT_THE_COMMAND_LINE, number, "It is mended", post.at)
    post.work_off()
    (receipt,) = post.receipts()
    assert "“walk 2”: Done." in flat(receipt)
    assert plies(store, ann) == before + 1


@pytest.mark.long("postgresql")
def test_our_own_letter_sent_back_whole_does_nothing(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    help_ = post.answer(letter, "help")
    for mail in (letter, help_):
        post.answer(mail, text_of(mail))
        quoted = "".join(f"> {line}\n" for line in text_of(mail).splitlines())
        post.answer(mail, "thanks\n" + quoted)
    with store.read() as conn:
        found = replies.find(conn, replies.token_of(store.settings, letter["Reply-To"]) or "", post.at)
    assert found is not None
    for line in found.lines:
        (item,) = examine(Question(written("x@example.org", line))).lines[:1] or [None]
        if item is not None:
            post.answer(letter, item.text)
    assert plies(store, ann) == before


# ==== what is kept of it ==========================================================================
def invited(store: Store, post: Post) -> EmailMessage:
    """Return the invitation of a person without an account."""
    host = ByPerson(person(store, "Host"))
    opened = opening.open_table(
        Work(store), host, title="toy", options={}, seats=2, name="By mail", public=False, settle_ms=0
    )
    lobby.invite(Work(store), host, opened.game_id, ["cleo@example.org"], lang="en", at=post.at)
    post.deliver()
    return post.letter("Cleo")


def kept(store: Store) -> tuple[int, int]:
    """Return the number of stored incoming mails, and of letters without a person that can be answered."""
    with store.read() as conn:
        letters = conn.execute(select(replies.REPLIES).where(replies.REPLIES.c.person_id.is_(None))).all()
        return len(conn.execute(select(INCOMING)).all()), len(letters)


def test_the_author_of_an_answer_to_an_invitation_is_forgotten_with_it(store: Store, post: Post) -> None:
    letter = invited(store, post)
    receipt = post.answer(letter, "Hello!\njoin")
    assert "“join”: Done." in flat(receipt)
    with store.read() as conn:
        person_id = conn.execute(select(PEOPLE.c.id).where(PEOPLE.c.email == "cleo@example.org")).scalar_one()
        assert conn.execute(select(INCOMING.c.person_id)).scalars().all() == [person_id]
    personal.erase(store, person_id, post.at)
    assert kept(store) == (0, 0)


@pytest.mark.parametrize("asked_to", [True, False])
def test_a_strangers_answer_is_deleted_on_request_or_after_a_month(store: Store, post: Post, asked_to: bool) -> None:
    post.answer(invited(store, post), "Who are you?")
    assert kept(store)[0] == 1
    if asked_to:
        personal.forget_address(store, "cleo@example.org", post.at)
        assert kept(store) == (0, 0)
    else:
        housekeeping.forget_expired(store, post.at + 31 * DAY)
        assert kept(store)[0] == 0


def test_a_sent_receipt_forgets_its_text_and_a_refused_one_is_not_resent(store: Store, post: Post, ann: str) -> None:
    name = leader_of(store, ann)
    letter = post.letter(name)
    post.answer(letter, "look\nZerlina should not have done that")
    post.take(written(letter["Reply-To"], "look\nor should Zerlina?"), letter["Reply-To"])
    post.work_off()

    def refuse(*_: object) -> str:
        raise Bounced("550 5.1.1 no such user", of_address=True)

    sending.send_due(store, send=refuse, now=lambda: post.at)
    assert [(row.state, row.payload) for row in outbox(store, "receipt")] == [("sent", {}), ("dead", {})]
    with store.write() as conn:
        addresses.unflag(conn, NUMBERS[name], post.at)
    assert post.receipts() == []
    assert [row.state for row in outbox(store, "receipt")] == ["sent", "superseded"]


def test_an_export_contains_a_persons_mails_and_no_secrets(store: Store, post: Post, ann: str) -> None:
    name = leader_of(store, ann)
    letter = post.letter(name)
    quoted = "".join(f"> {line}\n" for line in text_of(letter).splitlines())
    post.answer(letter, f"look\nWhat a day!\n\nOn 1 Dec 2026, at 12:00, trains@localhost wrote:\n{quoted}")
    packed = zipfile.ZipFile(io.BytesIO(personal.export(store, NUMBERS[name], post.at))).read("person.json")
    [mail] = json.loads(packed)["incoming"]
    assert mail["lines"] == ["look", "What a day!"]
    assert (mail["what"], mail["sender"]) == ("look", "ann@example.org")
    token = replies.token_of(store.settings, letter["Reply-To"])
    assert token
    assert token.encode() not in packed
    assert (
        json.loads(zipfile.ZipFile(io.BytesIO(personal.export(store, 3 - NUMBERS[name], post.at))).read("person.json"))[
            "incoming"
        ]
        == []
    )


def test_erasing_leaves_no_name_in_letters_that_others_can_answer(store: Store, post: Post, ann: str) -> None:
    reader = leader_of(store, ann)
    number, gone = NUMBERS[reader], next(each for each in NUMBERS if each != reader)
    post.answer(post.letter(reader), "look")
    with store.read() as conn:
        letters = [replies.of_hash(conn, it, post.at) for it in conn.scalars(select(replies.REPLIES.c.token_hash))]
        assert any(gone in line for it in letters if it and it.person_id == number for line in it.lines)
    personal.erase(store, NUMBERS[gone], post.at)
    with store.read() as conn:
        letters = [replies.of_hash(conn, it, post.at) for it in conn.scalars(select(replies.REPLIES.c.token_hash))]
        assert letters
        assert not [line for it in letters if it for line in it.lines if gone in line]
        assert conn.execute(select(INCOMING)).all() == []


def test_moves_by_mail_are_counted_with_all_others(
    store: Store, post: Post, ann: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    leader = leader_of(store, ann)
    with store.read() as conn:
        made = conn.execute(select(func.max(daily.MADE.c.moves)).where(daily.MADE.c.game_id == ann)).scalar() or 0
    monkeypatch.setattr(daily, "MOST", made + 1)
    before = plies(store, ann)
    receipt = flat(post.answer(post.letter(leader), "walk 1\nwalk 1"))
    assert "(ST 8)" in receipt
    assert "You can go on in 16 h." in receipt
    assert plies(store, ann) == before
