"""All commands by mail: each one that an answer can contain, as people write it, with its receipt."""

# ruff: noqa: F811  fixtures of another module

from email.message import EmailMessage

import pytest
from sqlalchemy import select, update

from domain.lifecycle import ProposeRewind
from domain.pace import Pace
from service.base.clock import DAY, HOUR
from service.database.store import Store
from service.database.work import Work
from service.games import absences, lobby, notes, opening
from service.games.rights import ByPerson
from service.games.transcripts import MOST_LINES
from service.letters import several
from service.notices import replies
from service.notices.owing import PEOPLE
from service.people import mail_settings
from tests.answers import Post, written
from tests.service.lanterns import ANN, BOB, NOON, game, give
from tests.toy import Choose, Walk, Whisper
from tests.workers import post as posts
from tests.workers.post import html_of, outbox, person, table, text_of
from tests.workers.test_incoming import NUMBERS, ann, commands, flat, leader_of, plies, post  # noqa: F401
from workers import clocks, incoming


@pytest.fixture
def database_url(copy_on_sqlite: str) -> str:
    """A line's meaning does not depend on the database."""
    return copy_on_sqlite


def lines_of(receipt: EmailMessage, heading: str = "YOUR LINES") -> str:
    """Return a receipt's text about the lines of the answer."""
    return " ".join(text_of(receipt).split(f"\n{heading}\n")[1].split("\n\n")[0].split())


# ==== before the start ============================================================================
def opened(store: Store, post: Post, *addresses: str) -> str:
    """Return a table of two, with an invitation to each address."""
    host = ByPerson(person(store, "Host"))
    made = opening.open_table(
        Work(store), host, title="toy", options={}, seats=2, name="By mail", public=False, settle_ms=0
    )
    lobby.invite(Work(store), host, made.game_id, list(addresses), lang="en", at=post.at)
    post.deliver()
    return made.game_id


def test_an_invited_person_who_writes_anything_else_learns_the_word_to_join(store: Store, post: Post) -> None:
    game_id = opened(store, post, "cleo@example.org")
    receipt = post.answer(post.letter("Cleo"), "Hello! What is this?\n\nCleo")
    assert "answer with the word “join”" in flat(receipt)
    assert game(store, game_id).table.chairs == {}  # type: ignore[union-attr]
    with store.read() as conn:
        assert "cleo@example.org" not in conn.scalars(select(PEOPLE.c.email)).all()
    receipt = post.answer(receipt, "Join, please!\nThanks\nstop\nresign")
    assert lines_of(receipt).startswith("* You wrote “Join, please!”: Done.")
    assert "resign" not in lines_of(receipt)
    again = post.answer(receipt, "join\nstart")
    assert "“join”: Done. You already have a seat at this table." in flat(again)
    assert "Only the host of the table can do this." in flat(again)


@pytest.mark.parametrize("courtesy", ["Hello Ann\n\nThanks!", "Great!\n\nBest wishes"])
def test_joining_below_thanks_needs_a_confirmation(store: Store, post: Post, courtesy: str) -> None:
    game_id = opened(store, post, "cleo@example.org")
    receipt = post.answer(post.letter("Cleo"), f"{courtesy}\n\njoin")
    assert "“join”: We read no orders below your thanks or greetings" in lines_of(receipt)
    assert "answer with the word “join”" in flat(receipt)
    assert game(store, game_id).table.chairs == {}  # type: ignore[union-attr]
    with store.read() as conn:
        assert "cleo@example.org" not in conn.scalars(select(PEOPLE.c.email)).all()
    assert "“join”: Done." in lines_of(post.answer(receipt, "Thanks for asking!\n\njoin"))


def test_a_known_person_joins_and_the_host_starts(store: Store, post: Post) -> None:
    for name in ("Ann", "Bob"):
        person(store, name)
    game_id = opened(store, post, "ann@example.org", "bob@example.org")
    invitation = post.letter("Ann")
    assert "PREVIEW (NOTHING WAS DONE)" in flat(post.answer(invitation, "join\npreview"))
    assert "NOTHING WAS DONE" in flat(post.answer(invitation, "move Boston\nresign\njoin"))
    assert game(store, game_id).table.chairs == {}  # type: ignore[union-attr]
    post.answer(invitation, "I'd love to.\njoin\nnote bring cake\nslower")
    with store.read() as conn:
        assert list(notes.of(conn, 1, game_id)) == ["bring cake"]
        assert mail_settings.of(conn, 1).digest_at is not None
    post.answer(post.letter("Bob"), "mitspielen")
    post.deliver()
    assert "“start”: Done." in flat(post.answer(post.letter("Host"), "start"))
    assert game(store, game_id).begun
    late = flat(post.answer(invitation, "join\nchoose 1"))
    assert "You already have a seat at this table, and the game has started." in late
    assert "YOUR OPTIONS" in late


def test_an_invitation_to_a_game_that_looks_for_a_substitute_is_answered_with_the_same_word(
    store: Store,
    post: Post,
) -> None:
    host = person(store, "Host")
    game_id = table(
        store, person(store, "Ann"), person(store, "Bob"), host_id=host, pace=Pace(DAY, excuse=False, then="substitute")
    )
    clocks.call(store, NOON + DAY)
    post.at = NOON + DAY
    lobby.invite(Work(store), ByPerson(host), game_id, ["cleo@example.org"], lang="en", at=post.at)
    post.deliver()
    receipt = post.answer(post.letter("Cleo"), "join")
    assert "“join”: Done." in flat(receipt)
    assert "YOUR OPTIONS" in flat(receipt)


# ==== looking =====================================================================================
@pytest.mark.parametrize(("lang", "look", "help_"), [("en", "Look, please.", "HELP!"), ("de", "zeige", "Hilfe")])
def test_look_and_help_cost_nothing(
    store: Store,
    post: Post,
    ann: str,
    lang: str,
    look: str,
    help_: str,
) -> None:
    with store.write() as conn:
        conn.execute(update(PEOPLE).values(lang=lang))
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    looked, helped = post.answer(letter, look), post.answer(letter, help_)
    for receipt in (looked, helped):
        assert {"en": "THE POSITION NOW", "de": "DIE STELLUNG JETZT"}[lang] in text_of(receipt)
        assert "[1] " in text_of(receipt)
        assert '"' not in text_of(receipt)
    said = flat(helped)
    for word in {"en": ("“take back all”", "“vacation”"), "de": ("„alles zurücknehmen“", "„Urlaub“")}[lang]:
        assert word in said
    assert "Done." in flat(post.answer(letter, "walk 1")) or lang == "de"
    assert plies(store, ann) == before + 1


def test_a_preview_tells_that_cards_are_revealed_and_stops_there(store: Store, post: Post, ann: str) -> None:
    before = plies(store, ann)
    said = lines_of(
        post.answer(post.letter(leader_of(store, ann)), "walk 1\npick\nwalk 1\npreview\nIt rains\nstop\nwalk")
    )
    assert "“walk 1”: This is what would happen: " in said
    assert "“pick”: This is what would happen: This step draws or reveals something." in said
    assert said.count("We can read this line only after the lines before it have been carried out.") == 1
    assert said.endswith("“It rains”: This is not an order.")
    assert plies(store, ann) == before


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_single_line_can_ask_for_its_preview(store: Store, post: Post, ann: str, lang: str) -> None:
    with store.write() as conn:
        conn.execute(update(PEOPLE).values(lang=lang))
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    for line in ("Preview: walk 2", {"en": "preview walk 2", "de": "Vorschau, gehe 2"}[lang], "preview: 1 2"):
        receipt = post.answer(letter, line)
        assert {"en": "PREVIEW (NOTHING WAS DONE)", "de": "VORSCHAU (NICHTS WURDE AUSGEFÜHRT)"}[lang] in text_of(
            receipt
        )
        assert {"en": "walks 2", "de": "geht 2"}[lang] in flat(receipt)
    assert {"en": "This is not an order", "de": "Das ist kein Befehl"}[lang] in flat(
        post.answer(letter, "Preview of coming attractions")
    )
    assert plies(store, ann) == before


# ==== moving ======================================================================================
def last_to_choose(store: Store, post: Post) -> tuple[str, int]:
    """Return a game in which Bob is the last to choose, and the choice with which he leads; his letter tells it."""
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    post.deliver()
    hands = game(store, game_id).state.hands
    give(store, game_id, ANN, Choose(min(hands[ANN])))
    return game_id, max(hands[BOB])


def test_one_mail_plays_on_as_long_as_the_seat_is_asked(store: Store, post: Post) -> None:
    game_id, card = last_to_choose(store, post)
    receipt = post.answer(post.letter("Bob"), f"Hi Ann,\n\nchoose {card}\nwalk 1\nwalk 2\n\nCheers,\nBob")
    if game(store, game_id).state.leader == BOB:
        assert flat(receipt).count("Done.") == 3
        assert commands(store, game_id)[-2:] == [Walk(1), Walk(2)]
    else:
        assert "your turn would already be over" in flat(receipt)


def test_a_refusal_after_chance_does_not_undo_the_revealed_cards(store: Store, post: Post) -> None:
    game_id, card = last_to_choose(store, post)
    before = plies(store, game_id)
    receipt = post.answer(post.letter("Bob"), f"choose {card}\nwalk 99\nwalk 1\nBob")
    said = lines_of(receipt)
    assert f"“choose {card}”: Done." in said
    assert "“walk 99”: " in said
    assert "“walk 1”: Not done." in said
    assert "“Bob”: This is not an order." in said
    assert "1 OF 3 LINES DONE" in flat(receipt)
    assert "Some of your lines were carried out before a later one was refused." in flat(receipt)
    assert plies(store, game_id) == before + 1


def test_text_below_the_end_is_never_read(store: Store, post: Post) -> None:
    _game_id, card = last_to_choose(store, post)
    receipt = post.answer(post.letter("Bob"), f"choose {card}\nstop\n12\n[2] walk 1\nwalk 99")
    assert lines_of(receipt).count("You wrote") == 1
    assert f"“choose {card}”: Done." in flat(receipt)


@pytest.mark.parametrize(
    "end", ["stop\nwalk 1", "Ende.\nwalk 1", "-- \nwalk 1", "Thanks!", "Viele Grüße", "Thanks!\n-- \nwalk 1"]
)
def test_a_mail_ends_where_its_writer_does(store: Store, post: Post, ann: str, end: str) -> None:
    before = plies(store, ann)
    receipt = post.answer(post.letter(leader_of(store, ann)), f"walk 1\n\n{end}\nBob\n12")
    assert "“walk 1”: Done." in flat(receipt)
    assert plies(store, ann) == before + 1


def test_talk_is_distinguished_from_failed_orders(store: Store, post: Post, ann: str) -> None:
    said = lines_of(post.answer(post.letter(leader_of(store, ann)), "walk 99\nwalk 1\nIt rains on Sunday"))
    assert "“It rains on Sunday”: This is not an order." in said
    assert "“walk 1”: Not done." in said


def test_talk_alone_gets_a_hint_at_help(store: Store, post: Post, ann: str) -> None:
    receipt = flat(post.answer(post.letter(leader_of(store, ann)), "What can I do now?"))
    assert "No line of your email looks like an order. “help” explains how to answer." in receipt
    assert "All lines of a mail" not in receipt


def test_an_order_after_the_word_i_is_executed(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    for text in ("I'll walk 1 if you do", "I walk home", "Ich gehe 1, wenn du magst"):
        post.answer(letter, text)
        assert plies(store, ann) == before, text
    said = lines_of(post.answer(letter, "Hi Bob,\nIch gehe 1"))
    assert "“Ich gehe 1” (walk 1): Done." in said
    assert plies(store, ann) == before + 1


def test_a_line_of_two_orders_is_executed_whole_or_not_at_all(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    said = lines_of(post.answer(letter, "walk 1, then walk 99"))
    assert "“walk 1”: Not done." in said
    assert "“walk 99”: " in said
    assert plies(store, ann) == before
    said = lines_of(post.answer(letter, "preview: walk 1; gehe 1"))
    assert said.count("This is what would happen:") == 2
    said = lines_of(post.answer(letter, "Walk 1, I walk 1 and halt"))
    assert said.count("Done.") == 3
    assert plies(store, ann) > before + 2


@pytest.mark.parametrize("text", ["number 2", "No. 2", "2, please", "Nummer 2 bitte", "Zeile 2."])
def test_a_number_may_have_a_word_before_it(store: Store, post: Post, ann: str, text: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    assert "Is this a line number or an amount?" in lines_of(post.answer(letter, text))
    assert plies(store, ann) == before
    assert "“number 1: 2” (walk 2): Done." in lines_of(post.answer(letter, "number 1: 2"))


def test_a_refusal_quotes_what_was_typed(store: Store, post: Post, ann: str) -> None:
    """It quotes the typed word, not its name in another language."""
    said = lines_of(post.answer(post.letter(leader_of(store, ann)), "Walk Pick 1"))
    assert "“Pick” is not a word of this game." in said


def test_an_order_in_several_sentences_gets_a_suggestion(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    said = lines_of(post.answer(letter, "I walk home\nHalt. So long"))
    assert "“I walk home”: This is not an order. *" in said
    assert "“Halt. So long”: This is not an order. You can type: “halt”." in said
    said = lines_of(post.answer(letter, "Walk 1. You are lucky!"))
    assert "“Walk 1. You are lucky!”: “You” is not a word of this game. You can type: “walk 1”." in said
    assert plies(store, ann) == before


def test_orders_after_the_turn_has_passed_are_not_executed(store: Store, post: Post) -> None:
    game_id, card = last_to_choose(store, post)
    receipt = post.answer(post.letter("Bob"), f"choose {card}\nhalt\nwalk 99\nnote so what\nIt rains")
    if BOB not in game(store, game_id).asked:
        said = lines_of(receipt)
        assert "“walk 99”: Not done, because your turn would already be over." in said
        assert "“It rains”: This is not an order." in said
        assert "“note so what”: Done." in said


def test_requests_that_need_no_turn_are_executed_after_it(store: Store, post: Post) -> None:
    game_id = table(store, person(store, "Ann"), person(store, "Bob"))
    post.deliver()
    card, other = sorted(game(store, game_id).state.hands[ANN])[:2]
    said = lines_of(post.answer(post.letter("Ann"), f"choose {card}\nwhisper 7\nchoose {other}\nwhisper 700"))
    assert "“whisper 7”: Done." in said
    assert f"“choose {other}”: Not done, because your turn would already be over." in said
    assert "“whisper 700”: Not done, because your turn would already be over." in said
    assert commands(store, game_id)[-1] == Whisper(7)


def test_a_receipt_uses_the_players_language(store: Store, post: Post, ann: str) -> None:
    with store.write() as conn:
        conn.execute(update(PEOPLE).values(lang="de"))
    text = "Urlaub vom 24.12. bis 31.12.\nWie geht es euch?\nHalte. Bis bald!"
    receipt = post.answer(post.letter(leader_of(store, ann)), text)
    assert "Du bist vom 24. Dez. 2027 bis zum 31. Dez. 2027 abwesend" in flat(receipt)
    assert "Du kannst schreiben: „halte“." in flat(receipt)
    assert receipt["Subject"].startswith("1 von 2 Zeilen ausgeführt")


def test_an_impossible_amount_is_asked_for_again(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    for text, said in (("1 9", "How much: 1 to 3?"), ("2 1", "Is this a line number or an amount?")):
        assert f"“{text}”: {said}" in lines_of(post.answer(letter, text))
    assert "“1 3” (walk 3): Done." in lines_of(post.answer(letter, "1 3"))
    assert plies(store, ann) == before + 1


# ==== going back ==================================================================================
def test_the_last_move_or_all_moves_can_be_taken_back(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), game(store, ann).state
    receipt = post.answer(letter, "walk 1\nwalk 1")
    receipt = post.answer(receipt, "Oops.\nundo")
    assert "“undo”: Done." in flat(receipt)
    assert game(store, ann).state.steps == before.steps - 1
    receipt = post.answer(receipt, "walk 1")
    receipt = post.answer(receipt, "take it all back")
    assert game(store, ann).state.steps == before.steps
    assert "ST 7" in flat(post.answer(receipt, "nimm zurück"))


@pytest.mark.parametrize(
    ("word", "stands"), [("agree", False), ("Ich stimme zu", False), ("refuse", True), ("ablehnen", True)]
)
def test_a_rewind_is_agreed_to_or_refused(store: Store, post: Post, ann: str, word: str, stands: bool) -> None:
    proposer = game(store, ann).asked[0]
    other, whom = (ANN, "Ann") if proposer == BOB else (BOB, "Bob")
    before = game(store, ann)
    give(store, ann, proposer, Walk(1))
    give(store, ann, proposer, ProposeRewind(before.version, (other,), post.at + DAY))
    post.deliver()
    letter = post.letter(whom)
    assert "“agree” or “refuse”" in flat(letter)
    receipt = post.answer(letter, f"No problem.\n{word}\nThanks")
    assert "Done." in lines_of(receipt), lines_of(receipt)
    assert (game(store, ann).state.steps == before.state.steps) is not stands
    assert "ST 9" in flat(post.answer(receipt, "agree"))


# ==== what changes no game ========================================================================
def test_unreadable_days_off_are_asked_for_again(store: Store, post: Post, ann: str) -> None:
    letter = post.letter(leader_of(store, ann))
    for text, said in (
        ("vacation", "There is nothing after this word."),
        ("vacation next week", "This is not an order. Write days like this: 1.12.-8.12."),
        ("Urlaub 8.12.-1.12.2027", "The last day is before the first."),
        ("vacation 1.2.2020-3.2.2020", "Those days are already over."),
    ):
        assert said in flat(post.answer(letter, text)), text
    with store.read() as conn:
        assert not absences.of(conn, 1)
        assert not absences.of(conn, 2)


def test_a_note_is_kept_whole_or_not_at_all(store: Store, post: Post, ann: str) -> None:
    name = leader_of(store, ann)
    letter, long = post.letter(name), "keep the red ones " * 40
    assert "“note” kept" not in flat(post.answer(letter, f"note {long}"))
    assert "A note can have at most 1000 characters." in flat(post.answer(letter, f"note {long * 2}"))
    with store.read() as conn:
        assert list(notes.of(conn, {"Ann": 1, "Bob": 2}[name], ann)) == [long.strip()]


def test_a_receipt_shows_the_last_notes_and_cuts_long_ones(store: Store, post: Post, ann: str) -> None:
    name = leader_of(store, ann)
    with store.write() as conn:
        for number in range(12):
            notes.add(conn, {"Ann": 1, "Bob": 2}[name], ann, f"{number} " + "long " * 150, str(number), NOON + number)
    mine = lines_of(post.answer(post.letter(name), "look"), "YOUR NOTES")
    assert [mine.count(f"* {number} long") for number in (0, 1, 2, 11)] == [0, 0, 1, 1]
    assert len(mine) < 10 * 310


def test_a_host_without_a_seat_can_look_and_note_but_not_move(store: Store, post: Post) -> None:
    host = person(store, "Host")
    pace = Pace(DAY, excuse=False, then="substitute")
    game_id = table(store, person(store, "Ann"), person(store, "Bob"), host_id=host, pace=pace)
    clocks.call(store, NOON + DAY)
    post.at = NOON + DAY
    post.deliver()
    letter, before = post.letter("Host"), plies(store, game_id)
    for text, said in (
        ("look", "THE POSITION NOW"),
        ("note ask Cleo", "“note ask Cleo”: Done."),
        ("walk 1", "NOTHING WAS DONE"),
        ("1", "NOTHING WAS DONE"),
        ("resign", "NOTHING WAS DONE"),
        ("take back", "NOTHING WAS DONE"),
        ("agree", "NOTHING WAS DONE"),
    ):
        assert said in flat(post.answer(letter, text)), text
    assert plies(store, game_id) == before


# ==== what cannot be taken as it stands ===========================================================
def test_lines_beyond_the_limit_are_counted(store: Store, post: Post, ann: str) -> None:
    talk = "\n".join(f"It was a fine day, number {number}." for number in range(MOST_LINES + 20))
    receipt = post.answer(post.letter(leader_of(store, ann)), f"walk 1\n{talk}\nwalk 1")
    assert "“walk 1”: Done." in flat(receipt)
    assert f"We read only the first {MOST_LINES} lines of an email; 22 more were ignored." in flat(receipt)
    assert "Other lines that are not orders: 47." in flat(receipt)
    assert "looked at" not in flat(post.answer(receipt, f"walk 1\nstop\n{talk}"))


def test_orders_of_one_line_count_as_lines(store: Store, post: Post, ann: str) -> None:
    many = ", ".join(["walk 1"] * 30)
    receipt = flat(post.answer(post.letter(leader_of(store, ann)), f"preview\n{many}\n{many}\n{many}"))
    assert f"We read only the first {MOST_LINES} lines of an email; 31 more were ignored." in receipt


def of_two_forms(to: str, plain: str, html: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = (
        "ann@example.org",
        to,
        "Re: your turn",
        "<two@client.example.org>",
    )
    mail.set_content(plain)
    mail.add_alternative(f"<p>{html}</p>", subtype="html")
    return mail.as_bytes()


@pytest.mark.parametrize("remark", ["", " # " + "because I like it so much, and " * 20])
def test_an_order_in_only_one_form_needs_a_confirmation_whatever_its_length(
    store: Store,
    post: Post,
    ann: str,
    remark: str,
) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    post.take(of_two_forms(letter["Reply-To"], "Hello", f"walk 1{remark}"), letter["Reply-To"])
    post.work_off()
    (receipt,) = post.receipts()
    assert "Your email has a text part and an HTML part, and only one of them says this." in flat(receipt)
    assert plies(store, ann) == before


def test_a_number_in_only_one_form_needs_a_confirmation(store: Store, post: Post, ann: str) -> None:
    letter, before = post.letter(leader_of(store, ann)), plies(store, ann)
    post.take(of_two_forms(letter["Reply-To"], "Hello", "</p><p>Hello</p><p>1"), letter["Reply-To"])
    post.work_off()
    (receipt,) = post.receipts()
    assert "Your email has a text part and an HTML part, and only one of them says this." in flat(receipt)
    assert plies(store, ann) == before


def test_joining_in_only_one_form_needs_a_confirmation(store: Store, post: Post) -> None:
    person(store, "Cleo")
    game_id = opened(store, post, "cleo@example.org")
    letter = post.letter("Cleo")
    post.take(of_two_forms(letter["Reply-To"], "Hello", "join"), letter["Reply-To"])
    post.work_off()
    (receipt,) = post.receipts()
    assert "Your email has a text part and an HTML part" in flat(receipt)
    assert game(store, game_id).table.chairs == {}  # type: ignore[union-attr]


# ==== letters about several games =================================================================
def digest(store: Store, post: Post, games: list[str]) -> list[replies.Issued]:
    """Send Ann a letter about these games. Return its reply addresses, the letter's own first."""
    rows = [next(it for it in outbox(store, "turn") if it.game_id == each and it.seat == ANN) for each in games]
    with store.read() as conn:
        sent = several.mail(store, conn, rows, "<together.1@localhost>", post.at)
    with store.write() as conn:
        replies.keep(conn, sent.answers, sent.lines, post.at)
    text = text_of(posts.parse(sent.source))
    for issued in sent.answers[1:]:
        assert f"Reply address for this game: {issued.address}" in text
    assert "Each game has its own reply address" in " ".join(text.split())
    return list(sent.answers)


@pytest.mark.parametrize("number", [2, 7])
def test_each_game_of_a_digest_is_answered_at_its_own_address(store: Store, post: Post, number: int) -> None:
    players = person(store, "Ann"), person(store, "Bob")
    games = [table(store, *players) for _ in range(number)]
    post.at = NOON + 1
    give(store, games[-1], BOB, Whisper(3))  # it changes nothing for Ann
    own, *parts = digest(store, post, games)
    assert [it.game_id for it in parts] == games
    card = min(game(store, games[0]).state.hands[ANN])

    def answered(address: str, text: str) -> str:
        mail = EmailMessage()
        mail["Reply-To"] = address
        return flat(post.answer(mail, text))

    which = answered(own.address, f"choose {card}")
    assert "WHICH GAME DO YOU MEAN?" in which
    assert all(it.address in which for it in parts)
    for part in parts:
        card = min(game(store, part.game_id).state.hands[ANN])
        assert f"“choose {card}”: Done." in answered(part.address, f"choose {card}")
    assert all(ANN not in game(store, it).asked for it in games)


def test_an_answer_to_a_digest_goes_to_the_one_game_that_waits(store: Store, post: Post) -> None:
    players = person(store, "Ann"), person(store, "Bob")
    games = [table(store, *players) for _ in range(7)]
    own, *_parts = digest(store, post, games)
    for each in games[1:]:
        give(store, each, ANN, Choose(min(game(store, each).state.hands[ANN])))
    card = min(game(store, games[0]).state.hands[ANN])
    mail = EmailMessage()
    mail["Reply-To"] = own.address
    assert f"“choose {card}”: Done." in flat(post.answer(mail, f"choose {card}"))


# ==== too many answers ============================================================================
@pytest.mark.parametrize("limit", ["RECEIPTS_AN_HOUR", "RECEIPTS_OF_A_GAME"])
def test_the_last_receipt_of_an_hour_says_so_and_turns_are_still_told(
    store: Store, post: Post, ann: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming, limit, 3)
    leader = leader_of(store, ann)
    letter = post.letter(leader)
    receipts = [flat(post.answer(letter, "look")) for _ in range(3)]
    assert ["This is the last receipt until" in it for it in receipts] == [False, False, True]
    before = plies(store, ann)
    post.take(written(letter["Reply-To"], "walk 1"), letter["Reply-To"])
    post.work_off()
    assert post.receipts() == []
    assert plies(store, ann) == before + 1
    for asked in (True, False):  # the leader moves until the other must move, who then does
        while (NUMBERS[leader] in (now := game(store, ann)).asked) == asked:
            seat = NUMBERS[leader] if asked else now.asked[0]
            give(store, ann, seat, now.title.rules.safe(now.state, seat), at=post.at)
    post.at += HOUR // 2
    assert f"{leader.lower()}@example.org" in [it["To"] for it in post.deliver()]
    post.at += HOUR
    assert "last receipt until" not in flat(post.answer(post.letter(leader), "look"))


def test_letters_that_ask_who_wrote_a_mail_do_not_count_as_receipts(
    store: Store, post: Post, ann: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming, "RECEIPTS_AN_HOUR", 1)
    letter = post.letter(leader_of(store, ann))
    post.take(written(letter["Reply-To"], "walk 1"), letter["Reply-To"], via="mail")
    post.work_off()
    assert [row.kind for row in outbox(store)][-1] == "draft"
    post.deliver()
    assert "This is the last receipt until" in flat(post.answer(letter, "look"))


# ==== names =======================================================================================
def name_of(store: Store, address: str) -> str:
    with store.read() as conn:
        return str(conn.scalar(select(PEOPLE.c.name).where(PEOPLE.c.email == address)))


@pytest.mark.parametrize("line", ["join as Ada", "Mitspielen als Ada, bitte", 'join as "Ada"', "Teilnehmen als Ada!"])
def test_a_newcomer_joins_with_a_name(store: Store, post: Post, line: str) -> None:
    game_id = opened(store, post, "cleo@example.org")
    receipt = post.answer(post.letter("Cleo"), f"Hello!\n\n{line}")
    assert "Done." in lines_of(receipt)
    assert "Others now see you as Ada." in lines_of(receipt)
    assert len(game(store, game_id).table.chairs) == 1  # type: ignore[union-attr]
    assert name_of(store, "cleo@example.org") == "Ada"


def test_nobody_joins_with_an_invalid_name(store: Store, post: Post) -> None:
    game_id = opened(store, post, "cleo@example.org")
    post.answer(post.letter("Cleo"), "join as Evil.example")
    post.answer(post.letter("Cleo"), "join as soon as you can")
    assert game(store, game_id).table.chairs == {}  # type: ignore[union-attr]


@pytest.mark.parametrize("lines", ["name Ada", "Name Ada", "walk 1\nname Ada\n", "name Ada, please"])
def test_a_name_can_be_set_alone_or_among_orders(store: Store, post: Post, ann: str, lines: str) -> None:
    leader, before = leader_of(store, ann), plies(store, ann)
    receipt = post.answer(post.letter(leader), lines)
    assert "Done. Others now see you as Ada." in lines_of(receipt)
    assert name_of(store, f"{leader.lower()}@example.org") == "Ada"
    assert plies(store, ann) == before + ("walk" in lines)


def test_a_name_in_lower_case_gets_a_suggestion(store: Store, post: Post, ann: str) -> None:
    leader = leader_of(store, ann)
    assert "begins with a capital: “name Ada”" in flat(post.answer(post.letter(leader), "name ada"))
    assert "A name must not look like a web address." in flat(post.answer(post.letter(leader), "name Evil.example"))
    assert name_of(store, f"{leader.lower()}@example.org") == leader


# ==== how letters look ============================================================================
@pytest.mark.parametrize(
    ("off", "on"),
    [("pictures off", "Pictures on, please"), ("Bilder aus", "Bilder an"), ("no pictures", "Wieder Bilder")],
)
def test_letters_without_pictures_have_the_position_in_words(
    store: Store, post: Post, ann: str, off: str, on: str
) -> None:
    leader = leader_of(store, ann)
    before = post.letter(leader)
    assert any(it.get_content_maintype() == "image" for it in before.walk())
    assert "WALKERS" not in html_of(before).upper()
    receipt = post.answer(before, f"walk 1\n{off}\n")
    assert "Done. Your emails have no pictures now" in lines_of(receipt)
    assert [it.get_content_maintype() for it in receipt.walk() if not it.is_multipart()] == ["text", "text"]
    for mail in (receipt, post.answer(receipt, "look")):
        assert "Walkers" in html_of(mail)
        assert '<div class="wide"><table class="cells"' in html_of(mail)
        assert f"<td>{leader}" in html_of(mail)
        assert "The standings" not in html_of(mail)
    made = plies(store, ann)
    post.answer(receipt, text_of(receipt))
    sent_back = EmailMessage()
    sent_back["From"], sent_back["To"], sent_back["Message-ID"] = (
        receipt["To"],
        receipt["Reply-To"],
        f"<back.{leader}@x>",
    )
    sent_back.set_content(html_of(receipt), subtype="html")
    post.take(sent_back.as_bytes(), receipt["Reply-To"])
    post.work_off()
    assert plies(store, ann) == made, "a letter that is sent back does nothing"
    with store.read() as conn:
        assert not mail_settings.of(conn, NUMBERS[leader]).pictures
    post.deliver()
    again = post.answer(post.letter(leader), f"walk 1\n{on}\n")
    assert "Your emails have pictures again." in lines_of(again)
    assert any(it.get_content_maintype() == "image" for it in again.walk())


@pytest.mark.parametrize(
    ("short", "long"), [("short receipts", "Long receipts!"), ("Kurze Quittungen", "lange Quittungen")]
)
def test_short_receipts_tell_only_the_results_of_the_lines(
    store: Store, post: Post, ann: str, short: str, long: str
) -> None:
    leader = leader_of(store, ann)
    receipt = post.answer(post.letter(leader), f"{short}\nwalk 1")
    assert "Your receipts are short now." in lines_of(receipt)
    assert "“walk 1”: Done." in lines_of(receipt)
    for mail in (receipt, post.answer(post.letter(leader), "walk 99")):
        said = text_of(mail) + html_of(mail)
        assert "It is your turn" in said
        for part in ("[1]", "Your options", "YOUR OPTIONS", "WALKERS", "Walkers", "Your hand", "YOUR HAND"):
            assert part not in said
        assert all(it.get_content_maintype() != "image" for it in mail.walk())
    before = plies(store, ann)
    assert "The email has no numbered lines." in lines_of(post.answer(post.letter(leader), "1"))
    assert plies(store, ann) == before
    asked_for = post.answer(post.letter(leader), "look")
    assert "[1]" in text_of(asked_for)
    assert "WALKERS" in text_of(asked_for)
    assert "You can type: “walk 1”" in lines_of(post.answer(asked_for, "1"))
    assert "DO YOU REALLY WANT TO RESIGN?" in text_of(post.answer(post.letter(leader), "resign"))
    assert "WALKERS" in text_of(post.answer(post.letter(leader), long))


@pytest.mark.parametrize(("off", "on"), [("tips off", "Tips on, please"), ("Keine Tipps mehr!", "Tipps an")])
def test_an_answer_ends_tips_and_brings_them_back(store: Store, post: Post, ann: str, off: str, on: str) -> None:
    def wanted(leader: str) -> bool:
        with store.read() as conn:
            return bool(conn.scalar(select(PEOPLE.c.tips).where(PEOPLE.c.id == NUMBERS[leader])))

    leader = leader_of(store, ann)
    assert wanted(leader)
    receipt = post.answer(post.letter(leader), f"walk 1\n{off}\n")
    assert "Done. You will get no more tips." in lines_of(receipt)
    assert not wanted(leader)
    assert "you get tips again" in lines_of(post.answer(receipt, on))
    assert wanted(leader)


@pytest.mark.parametrize(
    "talk",
    [
        "The pictures on the board are nice", "Pictures on the board?", "Pictures!", "pictures on Monday",
        "Nice pictures", "Short receipts are fine with me", "no pictures of the cake", "Die Bilder an der Wand",
        "Bilder", "Turn off", "I hang pictures on", "kurze Quittungen fände ich gut", "Pictures off the wall",
        "Bilder an Bilder",
    ],
)  # fmt: skip
def test_small_talk_switches_nothing(store: Store, post: Post, ann: str, talk: str) -> None:
    leader = leader_of(store, ann)
    with store.read() as conn:
        before = mail_settings.of(conn, NUMBERS[leader])
    assert "This is not an order." in lines_of(post.answer(post.letter(leader), talk))
    with store.read() as conn:
        assert mail_settings.of(conn, NUMBERS[leader]) == before


def test_a_letter_of_several_games_without_pictures_has_each_position_in_words(store: Store, post: Post) -> None:
    players = person(store, "Ann"), person(store, "Bob")
    games = [table(store, *players) for _ in range(2)]
    with store.write() as conn:
        conn.execute(update(PEOPLE).values(pictures=False))
    post.deliver()
    letter = post.letter("Ann")
    assert letter["Subject"] == "2 games are waiting for you"
    assert all(it.get_content_maintype() != "image" for it in letter.walk())
    assert html_of(letter).count('<table class="cells"') == len(games)
    assert ".cells td" in html_of(letter)
    assert "WALKERS" not in text_of(letter)


@pytest.mark.parametrize(("line", "offered"), [("OK, halt", "halt"), ("Ja, halt", "halt")])
def test_one_word_after_an_assent_is_offered_and_not_executed(
    store: Store, post: Post, ann: str, line: str, offered: str
) -> None:
    before = plies(store, ann)
    receipt = post.answer(post.letter(leader_of(store, ann)), line)
    assert f"“{line}”: This is not an order. You can type: “{offered}”." in lines_of(receipt)
    assert plies(store, ann) == before


def test_a_switch_below_thanks_needs_a_confirmation(store: Store, post: Post, ann: str) -> None:
    leader = leader_of(store, ann)
    receipt = post.answer(post.letter(leader), "I will think about it.\nThanks!\n\npictures off")
    assert "We read no orders below your thanks or greetings" in lines_of(receipt)
    with store.read() as conn:
        assert mail_settings.of(conn, NUMBERS[leader]).pictures
