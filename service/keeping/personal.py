"""A person's data: its full export, and its deletion for good. No log changes, since its seats are numbers.

Tables are found by their foreign keys to the person. So a new table is exported and deleted with its person without
further code. Data stored under the mail address alone is named here.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, LargeBinary, Table, delete, insert, or_, select, update
from sqlmodel import SQLModel

from domain.refusal import Refused
from service.base.clock import iso
from service.database.store import GAMES, SEATS, Busy, NoSuchGame, Store
from service.database.tables import OperatorEntry, OperatorNote, table_of
from service.database.work import Work
from service.games import lobby, moves, sandboxes, talk_text
from service.games.rights import ByService, SeatChanged
from service.games.seats import FORMER
from service.games.talk import LINES, MENTIONS
from service.keeping import erasures
from service.keeping.wiping import wipe
from service.notices import replies
from service.notices.mailbox import MAILBOX
from service.notices.owing import HISTORY, OUTBOX, tells_of
from service.notices.replies import REPLIES
from service.people import accounts, recipients
from service.people.accounts import ERASED, LINKS, PERSONS, SESSIONS, TOKENS, on_the_wire
from service.people.recipients import RECIPIENTS
from service.people.strangers import MAILBOXES, hash_of
from service.post.child import ReadingChild
from service.post.inbox import INCOMING
from service.post.incoming import Question
from service.proof.bundle import make
from service.proof.bundle.format import write
from service.record import files
from service.record.reading import record
from service.words import ENGLISH, called

ENTRIES, OPERATOR_NOTES = table_of(OperatorEntry), table_of(OperatorNote)

LEAVABLE = ("open", "running")
FOR_EVER = 2**62
ROUNDS = 20
"""Rounds of looking for seats of a leaving person: games go on meanwhile."""


# ==== export ======================================================================================
def export(store: Store, person_id: int, at: int) -> bytes:
    """Return all stored data of a person as a ZIP: ``person.json``, their record of finished games, and each of their
    games as they may see it.

    Secrets (hashes of tokens, for example) are left out, and so is data of others.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file, store.read() as conn:
        seats = conn.execute(select(SEATS.c.game_id, SEATS.c.seat).where(SEATS.c.person_id == person_id)).all()
        file.writestr("person.json", msgspec.json.format(msgspec.json.encode(_kept(conn, person_id, at)), indent=2))
        own = record(conn, person_id, accounts.person(conn, person_id).lang)
        file.writestr("record.csv", files.as_csv(own))
        file.writestr("record.json", files.as_json(own))
        for game_id, seat in seats:
            stored = store.load(conn, game_id)
            plies = store.stored_plies(conn, game_id, 0, stored.row.version)
            file.writestr(f"games/{game_id}.jsonl", write(make.bundle(stored, plies, seat)))
    return packed.getvalue()


def _kept(conn: Connection, person_id: int, at: int) -> dict[str, Any]:
    person = conn.execute(select(PERSONS).where(PERSONS.c.id == person_id)).one()
    kept: dict[str, Any] = {"exported_at": iso(at), "person": _plain(PERSONS, person)}
    for table, column in _of_people():
        rows = conn.execute(select(table).where(table.c[column] == person_id)).all()
        kept[table.name if column == "person_id" else f"{table.name}, {column}"] = [_plain(table, it) for it in rows]
    for line in kept["talk_line, writer_id"]:
        line["text"] = talk_text.without_marks(line["text"])
    kept["incoming"] = _with_lines(conn, kept["incoming"])
    held = sandboxes.held(conn, person_id)
    kept["sandbox"] = [{**it, **held[it["id"]]} for it in kept["sandbox"]]
    for address in (OUTBOX.c.address, RECIPIENTS.c.who):
        by_address = conn.execute(select(address.table).where(address == person.email)).all()
        kept[address.table.name] += [_plain(address.table, it) for it in by_address]
    mails = select(OUTBOX.c.id).where(or_(OUTBOX.c.person_id == person_id, OUTBOX.c.address == person.email))
    history = conn.execute(select(HISTORY).where(HISTORY.c.notice_id.in_(mails)).order_by(HISTORY.c.id)).all()
    links = conn.execute(select(LINKS).where(LINKS.c.email == person.email)).all()
    invited = conn.execute(select(MAILBOXES).where(MAILBOXES.c.mailbox_hash == hash_of(person.email))).all()
    return kept | {
        "invited_mailbox": [_plain(MAILBOXES, it) for it in invited],
        "outbox_history": [_plain(HISTORY, it) for it in history],
        "sign_in_link": [_plain(LINKS, it) for it in links],
    }


def _of_people() -> Iterator[tuple[Table, str]]:
    """Each table with people's data, and its column that refers to the person.

    Columns are left out where the person must not learn of the row: somebody else has listed or blocked them.
    """
    for table in sorted(SQLModel.metadata.tables.values(), key=lambda table: table.name):
        for column in table.columns:
            if not column.info.get("untold") and any(key.column is PERSONS.c.id for key in column.foreign_keys):
                yield table, column.name


def _with_lines(conn: Connection, mails: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Incoming mails with the lines that their person wrote. Quoted text is left out: it may hold working links."""
    if not mails:
        return []
    wanted = select(INCOMING.c.raw, INCOMING.c.token_hash)
    shown = []
    with ReadingChild() as child:
        for mail in mails:
            row = conn.execute(wanted.where(INCOMING.c.id == mail["id"])).one()
            letter = replies.of_hash(conn, row.token_hash, 0)
            found = child.read(Question(bytes(row.raw), letter.lines if letter is not None else ()))
            shown.append(mail | {"lines": [line.text for line in found.lines]})
    return shown


KEYS = ("hash", "token", "secret", "payload", "nonce", "key")
"""Words in the names of columns that are secrets, or may hold secrets."""


def _plain(table: Table, row: Any) -> dict[str, Any]:
    """A row as plain data: times in words, secrets left out."""
    shown = {}
    for column in table.columns:
        value = row._mapping[column.name]
        if isinstance(column.type, LargeBinary) or any(word in column.name for word in KEYS):
            continue
        is_time = column.name.endswith(("_at", "_until", "_since")) and isinstance(value, int)
        shown[column.name] = iso(value) if is_time else value
    return shown


# ==== erasure =====================================================================================
def erase(store: Store, person_id: int, at: int) -> None:
    """Erase a person. Their seats in running games resign, and their open tables are closed.

    After an interruption it may be repeated: no step leaves anything half done for others. Raises `Busy`.
    """
    with store.write() as conn:  # from here on nobody can act for them
        conn.execute(delete(SESSIONS).where(SESSIONS.c.person_id == person_id))
        conn.execute(delete(TOKENS).where(TOKENS.c.person_id == person_id))
    for _ in range(ROUNDS):
        _leave_all(store, person_id, at)
        with store.write() as conn:
            if _to_leave(conn, person_id):
                continue
            gone = _forget(conn, store, person_id, at)
        if gone:
            erasures.keep_list(store)
            wipe(store, at)
        return
    raise Busy


def forget_address(store: Store, address: str, at: int) -> int:
    """Delete the data of an address without an account: unused links and invitations. Return the number of mails.

    Only the hash by which it refuses invitations stays, if there is one.
    """
    with store.write() as conn:
        forgotten = _forget_addresses(conn, [address], at)
        if forgotten:
            erasures.note(conn, [address], at)
    if forgotten:
        erasures.keep_list(store)
        wipe(store, at)
    return forgotten


def erase_again(store: Store, marks: Mapping[str, int], at: int) -> tuple[int, int]:
    """Erase people and addresses with one of ``marks`` (mark -> time) from a restored store. Return both numbers.

    The numbers count people and mails. For an address, only data from before its erasure is deleted, since it may have
    a new owner. Raises `Busy`.
    """
    with store.read() as conn:
        known = conn.execute(select(PERSONS.c.id, PERSONS.c.created_at)).all()
        salt = erasures.salt_of(conn)
        held = {*conn.scalars(select(LINKS.c.email)), *conn.scalars(select(MAILBOX.c.recipient))}
        held |= {*conn.scalars(select(OUTBOX.c.address).where(OUTBOX.c.address.is_not(None)))}
    gone = [it.id for it in known if erasures.mark_of_person(it.id, it.created_at) in marks]
    for person_id in gone:
        erase(store, person_id, at)
    mails = 0
    with store.write() as conn:
        for address in sorted(held):
            if (until := marks.get(erasures.mark_of_address(salt, address))) is not None:
                mails += _forget_addresses(conn, [address], at, until)
        erasures.note_marks(conn, marks)
    return len(gone), mails


def _to_leave(conn: Connection, person_id: int) -> list[tuple[str, int | None, bool]]:
    """The games that a person must leave before erasure: id, seat, and whether the whole table is closed."""
    seat = (
        select(SEATS.c.seat)
        .where(
            SEATS.c.game_id == GAMES.c.id,
            SEATS.c.person_id == person_id,
            SEATS.c.left_at.is_(None),
            SEATS.c.vacant_since.is_(None),  # an open seat waits for a substitute already
        )
        .scalar_subquery()
    )
    games = select(GAMES.c.id, GAMES.c.status, GAMES.c.host_id, seat.label("seat")).where(GAMES.c.status.in_(LEAVABLE))
    hosted = {
        (it.id, it.seat, it.status == "open" and it.host_id == person_id)
        for it in conn.execute(games.where(or_(seat.is_not(None), GAMES.c.host_id == person_id)))
    }
    return sorted(((*it,) for it in hosted if it[1] is not None or it[2]), key=lambda it: it[0])


def _leave_all(store: Store, person_id: int, at: int) -> None:
    with store.read() as conn:
        games = _to_leave(conn, person_id)
    for game_id, seat, closes in games:
        with store.read() as conn:
            try:
                status = store.load(conn, game_id).game.status
            except NoSuchGame:
                continue
        try:
            if closes:
                lobby.cancel(Work(store), ByService(), game_id)
            elif seat is not None and status == "open":
                lobby.leave(Work(store), ByService("player", seat, person_id), game_id)
            elif seat is not None:
                moves.resign(Work(store), ByService("service", seat, person_id), game_id)
        except (Refused, SeatChanged):
            continue  # it has begun or ended meanwhile: the next round looks again


def _forget(conn: Connection, store: Store, person_id: int, at: int) -> bool:
    """Delete the person's rows. Return False if they were gone already."""
    person = conn.execute(select(PERSONS).where(PERSONS.c.id == person_id)).one_or_none()
    if person is None:
        return False
    seated = select(SEATS.c.game_id).where(SEATS.c.person_id == person_id)
    sat = select(FORMER.c.game_id).where(FORMER.c.person_id == person_id)
    heard_of = select(OUTBOX.c.game_id).where((OUTBOX.c.person_id == person_id) | tells_of(person_id))
    talked = select(LINES.c.game_id).where(LINES.c.writer_id == person_id)
    named = select(MENTIONS.c.game_id).where(MENTIONS.c.person_id == person_id)
    games = conn.execute(
        select(GAMES.c.id, GAMES.c.title, GAMES.c.name, GAMES.c.host_id).where(
            or_(*(GAMES.c.id.in_(it) for it in (seated, sat, heard_of, talked, named)), GAMES.c.host_id == person_id)
        )
    ).all()
    recipients.lock(conn, recipients.of_person(person_id))
    theirs = OUTBOX.c.person_id == person_id, OUTBOX.c.address.is_not(None)
    written_to = set(conn.scalars(select(OUTBOX.c.address).where(*theirs)))
    for game in games:
        if game.host_id == person_id or _names(game, person):
            plain = called(store.titles[game.title], ENGLISH) if game.title in store.titles else game.title
            conn.execute(update(GAMES).where(GAMES.c.id == game.id).values(name=plain))
            sandboxes.forget_name(conn, game.id, game.name, plain)
        _forget_mails_about(conn, game.id)
        conn.execute(delete(OPERATOR_NOTES).where(OPERATOR_NOTES.c.game_id == game.id))  # it may speak of them
        if game.host_id == person_id:  # only they may know the people they invited
            invitations = OUTBOX.c.game_id == game.id, OUTBOX.c.kind == "invitation"
            written_to |= set(conn.scalars(select(OUTBOX.c.address).where(*invitations)))
            invited = REPLIES.c.message_id.in_(select(OUTBOX.c.message_id).where(*invitations))
            conn.execute(delete(REPLIES).where(REPLIES.c.person_id.is_(None), invited))
            conn.execute(delete(OUTBOX).where(*invitations))
    mine = select(OUTBOX.c.message_id).where(OUTBOX.c.person_id == person_id)
    conn.execute(delete(MAILBOX).where(MAILBOX.c.message_id.in_(mine)))
    addresses = [person.email, *_earlier_addresses(conn, person_id)]
    _forget_addresses(conn, addresses, at)
    erasures.note(conn, addresses, at, person)
    conn.execute(
        update(SEATS).where(SEATS.c.person_id == person_id).values(person_id=None, erased_at=at, salt="", words="")
    )
    said_of_them = ENTRIES.c.person_id == person_id
    conn.execute(update(ENTRIES).where(said_of_them).values(why=""))
    conn.execute(insert(ERASED).values(person_id=person_id, at=at))
    conn.execute(delete(PERSONS).where(PERSONS.c.id == person_id))  # rows that refer to the person go along
    recipients.settle(conn, written_to, at)
    return True


def _names(game: Any, person: Any) -> bool:
    """Does the name of a table contain the person's name?"""
    return re.search(rf"(?<!\w){re.escape(person.name)}(?!\w)", game.name, re.IGNORECASE) is not None


def _forget_mails_about(conn: Connection, game_id: str) -> None:
    """Delete others' mails about the person, and their answers, in the mailbox of the embedded profile and the outbox.

    A digest does not name its games. So all digests go to people who got mail about this game are deleted.
    """
    conn.execute(delete(MAILBOX).where(MAILBOX.c.message_id.contains(f".{game_id}.", autoescape=True)))
    told = select(OUTBOX.c.person_id).where(OUTBOX.c.game_id == game_id)
    replies.forget_words(conn, game_id, told)
    letters = select(REPLIES.c.token_hash).where(REPLIES.c.game_id == game_id)
    conn.execute(delete(INCOMING).where(INCOMING.c.token_hash.in_(letters), INCOMING.c.state == "done"))
    emails = {on_the_wire(each) for each in conn.scalars(select(PERSONS.c.email).where(PERSONS.c.id.in_(told)))}
    of_several = or_(*(MAILBOX.c.message_id.startswith(f"<{kind}.") for kind in ("together", "receipt.games")))
    conn.execute(delete(MAILBOX).where(of_several, MAILBOX.c.recipient.in_(emails)))


def _earlier_addresses(conn: Connection, person_id: int) -> list[str]:
    """Earlier addresses of the person, as far as known, that belong to nobody else by now."""
    moved = OUTBOX.c.person_id == person_id, OUTBOX.c.kind == "moved", OUTBOX.c.address.not_in(select(PERSONS.c.email))
    return list(conn.scalars(select(OUTBOX.c.address).where(*moved)))


def _forget_addresses(conn: Connection, addresses: Sequence[str], at: int, until: int = FOR_EVER) -> int:
    """Delete data stored until ``until`` under addresses alone. Return the number of mails."""
    conn.execute(delete(LINKS).where(LINKS.c.email.in_(addresses), LINKS.c.created_at <= until))
    alone = OUTBOX.c.address.in_(addresses), OUTBOX.c.person_id.is_(None), OUTBOX.c.created_at <= until
    answers = select(REPLIES.c.token_hash).where(
        REPLIES.c.person_id.is_(None), REPLIES.c.message_id.in_(select(OUTBOX.c.message_id).where(*alone))
    )
    conn.execute(delete(INCOMING).where(INCOMING.c.token_hash.in_(answers)))
    conn.execute(delete(REPLIES).where(REPLIES.c.token_hash.in_(answers)))
    owed = conn.execute(delete(OUTBOX).where(*alone)).rowcount
    recipients.settle(conn, addresses, at)
    on_the_way = {form for each in addresses for form in (each, on_the_wire(each))}
    arrived = MAILBOX.c.recipient.in_(on_the_way), MAILBOX.c.received_at <= until
    return owed + conn.execute(delete(MAILBOX).where(*arrived)).rowcount
