"""What each kind of mail says, from what its recipient may see; how it looks is in `letter`.

Everything of a game comes through `service.games.queries`, so a mail cannot tell more than a page would.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from config.settings import Settings
from domain.chain import fingerprint
from domain.lifecycle import GameStarted, Rewound, SeatRetired
from domain.sealed import SeatLost
from domain.title import Action, Result, Title
from service.base import links
from service.base.names import without_addresses
from service.database.store import Store
from service.games import lookback, pictures, queries
from service.games.deadlines import deadline
from service.games.queries import Seen, Told
from service.notices.owing import PEOPLE, people_in
from service.operators import acts
from service.people import strangers
from service.people.accounts import LINK_LIFE, link_address
from service.words import called
from workers.due import events_of
from workers.mail import of_time
from workers.mail.letter import Button, Letter, Picture, Section, Table, write
from workers.mail.of_address import of_address
from workers.mail.reader import Reader
from workers.mail.smtp import Mail

PICTURE_WIDTH = 1200
"""Pixels; it is shown half as wide, so that it is sharp on fine screens."""
PLIES_TOLD = 30
ACTIONS_LISTED = 6
"""Of a group of legal actions; a mail is no form."""
GROUPS_LISTED = 8
"""Of more groups than these, one action of each sort is listed."""


def mail(store: Store, conn: Connection, row: Any, at: int, message_id: str | None = None) -> Mail:
    """The mail of an outbox row as things stand now, which `due.why_not` has found still due."""
    say = reader_of(conn, row)
    letter = letter_of(store, conn, row, say, at)
    return write(store.settings, letter, say.address, message_id or row.message_id, at)


def letter_of(store: Store, conn: Connection, row: Any, say: Reader, at: int) -> Letter:
    """What the mail of an outbox row says."""
    settings = store.settings
    match row.kind:
        case "sign_in":
            return _sign_in(settings, conn, row, say)
        case "address" | "confirm" | "moved":
            return of_address(settings, conn, row, say, at)
    stored = store.load(conn, row.game_id)
    seen = queries.seen_by(stored, say.id, invited=row.kind == "invitation", lang=say.lang)
    match row.kind:
        case "turn":
            return _turn(store, conn, row, seen, say, at)
        case "started":
            return _started(store, conn, row, seen, say, at)
        case "over":
            return _over(store, conn, row, seen, say, at)
        case "rewind":
            return _rewind(store, conn, row, seen, say, at)
        case "rewound":
            return _rewound(store, conn, row, seen, say)
        case "words":
            return _words(store, row, seen, say, at)
        case "reminder" if seen.game.status == "open":
            return _words(store, row, seen, say, at)
        case "seat_lost":
            return _seat_lost(settings, row, seen, say)
        case "full":
            return _full(settings, row, seen, say)
        case "left":
            return _left(store, conn, row, seen, say)
        case "cancelled":
            return _cancelled(settings, conn, seen, say)
        case "invitation":
            return _invitation(settings, conn, row, seen, say)
        case "reminder":
            return _of_time(seen, say, of_time.reminder(store, row, seen, say, at), settings)
        case "timed_out":
            return _of_time(seen, say, of_time.timed_out(store, conn, row, seen, say), settings)
        case "seat_open":
            return _of_time(seen, say, of_time.seat_open(store, conn, row, seen, say), settings)
        case "paused":
            return _of_time(seen, say, of_time.paused(store, seen, say), settings)
        case "resumed":
            return _of_time(seen, say, of_time.resumed(store, conn, row, seen, say, at), settings)
    raise ValueError(f"there is no mail of the kind {row.kind}")


def reader_of(conn: Connection, row: Any) -> Reader:
    """Who the mail of a row is for. A row with an address goes there, also when it is a person's."""
    known: Any = None
    if row.person_id is not None:
        known = conn.execute(select(PEOPLE).where(PEOPLE.c.id == row.person_id)).one()
    if row.address is None:
        return Reader(known.id, known.email, known.lang, known.zone, known.address_since or 0)
    who = select(PEOPLE.c.zone, PEOPLE.c.zone_known).where(PEOPLE.c.email == row.address)
    known = known or conn.execute(who).one_or_none()
    zone = known.zone if known and known.zone_known else row.payload.get("zone") or "UTC"
    return Reader(row.person_id, row.address, row.payload.get("lang", "en"), zone)


# ==== mails of a game =============================================================================
def _turn(store: Store, conn: Connection, row: Any, seen: Seen, say: Reader, at: int) -> Letter:
    shown = queries.shown(seen, say.lang)
    told = _told_since(store, conn, seen, say)
    begun = any(isinstance(event, GameStarted) for ply in told for event in ply.ply.events)
    story = _story(told, say)
    link = links.turn_address(
        store.settings, row.game_id, row.seat, shown.version, row.person_id, at, since=say.since
    )
    until = say.when(at + links.TURN_LINK_LASTS)
    sections = [
        Section(say("What has happened so far") if begun else say("Since your last turn"),
                story or (say("Nothing has happened since your last turn."),)),
        Section(say("Your hand"), shown.hand),
        Section(say("How things stand"), shown.standing),
        Section(say("What you can do"), groups=_actions(seen, say)),
    ]  # fmt: skip
    return _of_game(
        store.settings, seen, say,
        heading=say("It is your turn"),
        lead=(*_went_back(store, conn, row, seen, say),
              say("The position at {when}.", when=say.when(seen.row.moved_at)), *of_time.until(seen, say)),
        picture=_picture(seen, shown.view, say), sections=sections,
        button=Button(say("Open the table and move"), link),
        small=(say("The link opens your seat in this game and nothing else of yours, until {when}. "
                   "Looking changes nothing.", when=until),),
    )  # fmt: skip


def _started(store: Store, conn: Connection, row: Any, seen: Seen, say: Reader, at: int) -> Letter:
    shown = queries.shown(seen, say.lang)
    waiting = ", ".join(seen.player(seat) for seat in shown.asked)
    return _of_game(
        store.settings, seen, say,
        heading=say("The game has started"),
        lead=(say("Waiting for: {players}", players=waiting), say("You will hear from us when it is your turn.")),
        picture=_picture(seen, shown.view, say),
        sections=[Section(say("Your hand"), shown.hand), Section(say("How things stand"), shown.standing)],
        button=Button(say("Look at the table"), links.game_address(store.settings, row.game_id)),
    )  # fmt: skip


def _over(store: Store, conn: Connection, row: Any, seen: Seen, say: Reader, at: int) -> Letter:
    result = queries.result(seen)
    secret = queries.secret(seen)
    assert result is not None
    assert secret is not None
    winners = ", ".join(seen.player(seat) for seat in result.winners)
    won = say("{players} win together." if len(result.winners) > 1 else "{players} wins.", players=winners)
    story = _story(_told_since(store, conn, seen, say), say)
    return _of_game(
        store.settings, seen, say,
        heading=say("The game is over"), lead=(won,),
        picture=_picture(seen, queries.view(seen), say),
        table=_result_table(seen, result, say),
        sections=[
            Section(say("The last moves"), story),
            Section("", (say("The game's secret is published now. Whoever has the log can check that nothing was "
                             "changed, that the rules were kept and that every draw was fair."),
                         f"{say('Secret of the game:')} {secret.hex()}")),
        ],
        button=Button(say("Audit the game"), links.audit_address(store.settings, row.game_id)),
    )  # fmt: skip


def _rewind(store: Store, conn: Connection, row: Any, seen: Seen, say: Reader, at: int) -> Letter:
    """A rewind is proposed: the position it would go back to, what it would undo, and the way to the answer."""
    proposal = queries.rewind(seen, at)
    assert proposal is not None
    past = queries.position(store, conn, seen, proposal.to)
    undone = queries.undone(store, conn, seen, say.lang, proposal.to)
    link = links.turn_address(store.settings, row.game_id, row.seat, seen.version, row.person_id, at, since=say.since)
    return _of_game(
        store.settings, seen, say,
        heading=say("{name} proposes to go back", name=seen.player(proposal.seat)),
        lead=(say("{name} would like the game to stand again as it did after ply {to}. Everybody has to agree.",
                  name=seen.player(proposal.seat), to=proposal.to),
              say("You can agree or refuse until {when}. If the game goes on before that, the proposal falls.",
                  when=say.when(proposal.expires)),
              say("The board shows how the table would look.")),
        picture=_picture(seen, queries.view(seen, past), say),
        sections=[Section(say("What would be undone"), _story(undone, say))],
        button=Button(say("See the table and answer"), link),
        small=(say("The link opens your seat in this game and nothing else of yours, until {when}. "
                   "Looking changes nothing.", when=say.when(at + links.TURN_LINK_LASTS)),),
    )  # fmt: skip


def _rewound(store: Store, conn: Connection, row: Any, seen: Seen, say: Reader) -> Letter:
    shown = queries.shown(seen, say.lang)
    waiting = ", ".join(seen.player(seat) for seat in shown.asked)
    return _of_game(
        store.settings, seen, say,
        heading=say("The game has gone back"),
        lead=(*_went_back(store, conn, row, seen, say), say("Waiting for: {players}", players=waiting),
              say("You will hear from us when it is your turn.")),
        picture=_picture(seen, shown.view, say),
        sections=[Section(say("Your hand"), shown.hand), Section(say("How things stand"), shown.standing)],
        button=Button(say("Look at the table"), links.game_address(store.settings, row.game_id)),
    )  # fmt: skip


def _went_back(store: Store, conn: Connection, row: Any, seen: Seen, say: Reader) -> tuple[str, ...]:
    """A line that says so, where the ply of the notice went back."""
    ((_, ply),) = store.plies(conn, row.game_id, seen.title, row.ply - 1, row.ply)
    return tuple(
        say("Everybody has agreed to go back: the game stands again as it did after ply {to}.", to=event.to)
        for event in ply.events
        if isinstance(event, Rewound)
    )


def _of_time(seen: Seen, say: Reader, parts: dict[str, Any], settings: Settings) -> Letter:
    view = queries.view(seen)
    return _of_game(settings, seen, say, picture=None if view is None else _picture(seen, view, say), **parts)


def _cancelled(settings: Settings, conn: Connection, seen: Seen, say: Reader) -> Letter:
    lead = say("The host has closed the table before the game began. There is nothing for you to do.")
    why = next((it.why for it in acts.about_game(conn, seen.game.id) if it.what == "close"), None)
    if why is None:
        return _of_game(settings, seen, say, heading=say("The game was called off"), lead=(lead,))
    lead = say("An operator of the site has closed the table. Nobody has won, and there is nothing for you to do.")
    reason = say("The reason: {why}", why=without_addresses(why))
    return _of_game(settings, seen, say, heading=say("The table was closed"), lead=(lead, reason))


def _words(store: Store, row: Any, seen: Seen, say: Reader, at: int) -> Letter:
    """What the table of sealed words waits for: another seal, or the words behind the one that is there."""
    table = seen.game.table
    assert table is not None
    due = deadline(seen.game, row.seat)
    unsealed = table.chairs[row.seat].brought is None
    link = links.turn_address(store.settings, row.game_id, row.seat, seen.version, row.person_id, at, since=say.since)
    what = (
        say("Somebody did not open theirs in time, or left. So words that were opened count no more, and everybody "
            "seals other ones.")
        if unsealed
        else say("All have sat down and sealed their words. When the last of you has opened them, the game begins.")
    )  # fmt: skip
    until = () if due is None else (
        say("You have until {when}. Whoever has not done it by then loses the seat.", when=say.when(due)),
    )  # fmt: skip
    return _of_game(
        store.settings, seen, say,
        heading=say("Your time is running out") if row.kind == "reminder"
        else say("Seal other words") if unsealed else say("Open your words"),
        lead=(what, *until, say("Open the table in the browser in which you sat down: it has your words and does it by "
                                "itself. In any other one, paste the words that you noted.")),
        button=Button(say("Open the table"), link),
        small=(say("The link opens your seat in this game and nothing else of yours, until {when}. "
                   "Looking changes nothing.", when=say.when(at + links.TURN_LINK_LASTS)),),
    )  # fmt: skip


def _seat_lost(settings: Settings, row: Any, seen: Seen, say: Reader) -> Letter:
    return _of_game(
        settings, seen, say,
        heading=say("You have lost your seat"),
        lead=(say("Your sealed words were not open in time, so your seat is free again. The game has not begun: as "
                  "long as a seat is free you can sit down once more."),),
        button=Button(say("Look at the table"), links.game_address(settings, row.game_id)),
        why=say("You get this mail because you had a seat in this game."),
    )  # fmt: skip


def _full(settings: Settings, row: Any, seen: Seen, say: Reader) -> Letter:
    table = seen.game.table
    assert table is not None
    begins = (
        say("The game begins by itself when all sealed words are open.") if table.owing
        else say("You can start the game now.")
    )  # fmt: skip
    return _of_game(
        settings, seen, say,
        heading=say("The table is full"),
        lead=(say("All seats of your table are taken. {begins}", begins=begins),),
        button=Button(say("Look at the table"), links.game_address(settings, row.game_id)),
        why=say("You get this mail because you host this game."),
    )  # fmt: skip


def _left(store: Store, conn: Connection, row: Any, seen: Seen, say: Reader) -> Letter:
    """Who has left, how, and what there is to do: to find somebody else, before the start."""
    table = seen.game.table
    assert table is not None
    events = events_of(store, conn, row, seen)
    running = any(isinstance(event, SeatRetired) for event in events)
    lost = any(isinstance(event, SeatLost) for event in events)
    known = select(PEOPLE.c.name).where(PEOPLE.c.id.in_(people_in(row.key))).order_by(PEOPLE.c.id)
    names = list(conn.scalars(known)) or [say("Somebody")]
    lead = tuple(
        say("{name} has left the game. The others play on.", name=name) if running
        else say("{name} did not open the sealed words in time and has lost the seat.", name=name) if lost
        else say("{name} has given up the seat.", name=name)
        for name in names
    )  # fmt: skip
    token = None if running else queries.invitation(store.settings, seen)
    if token is not None:
        lead = (
            *lead, _free(say, table.seats - len(table.chairs), table.seats),
            say("Whoever has this address can take a seat: {address}",
                address=links.join_address(store.settings, token)),
        )  # fmt: skip
    return _of_game(
        store.settings, seen, say,
        heading=say("Somebody has left"), lead=lead,
        button=Button(say("Look at the table"), links.game_address(store.settings, row.game_id)),
        why=say("You get this mail because you host this game."),
    )  # fmt: skip


def _free(say: Reader, free: int, seats: int) -> str:
    """How many seats are free."""
    return (
        say("1 of {seats} seats is free.", seats=seats) if free == 1
        else say("{free} of {seats} seats are free.", free=free, seats=seats)
    )  # fmt: skip


def _of_game(settings: Settings, seen: Seen, say: Reader, why: str = "", **parts: Any) -> Letter:
    """What the mails of a game have in common: subject and thread, the fingerprint of the log, what is reconstructed,
    how to stop them.
    """
    title, name = called(seen.title, say.lang), seen.row.name
    foot = (
        say("Log of the game: move {version}, fingerprint {fingerprint}. Keep this mail: whoever changes what has "
            "been played, be it we ourselves, is found out by it.",
            version=seen.game.version, fingerprint=fingerprint(seen.stored.head)),
        *(seen.say(note, say.lang) for note in seen.title.notes),
        why or _why(seen, say),
    )  # fmt: skip
    assert say.id is not None
    stop = links.unsubscribe_address(settings, say.id, seen.game.id, since=say.since)
    return Letter(
        lang=say.lang, subject=f"{title}: {name}", above=title, name=name, game_id=seen.game.id, foot=foot,
        stop=Button(say("No more mail about this game"), stop),
        **parts,
    )  # fmt: skip


def _why(seen: Seen, say: Reader) -> str:
    if seen.seat is None:
        return say("You get this mail because you host this game.")
    return say("You get this mail because you have a seat in this game.")


def _told_since(store: Store, conn: Connection, seen: Seen, say: Reader) -> list[Told]:
    """The plies since the reader's own last one, as far as they may know them and there is something to tell."""
    since = lookback.last_own(store, conn, seen)
    if since and _begins(store, conn, seen, since):
        since -= 1  # who opened the last sealed words, and so began the game, has seen nothing of it yet
    return [ply for ply in queries.plies(store, conn, seen, say.lang, since=since) if ply.said]


def _begins(store: Store, conn: Connection, seen: Seen, number: int) -> bool:
    """Whether the game began with this ply."""
    ((_, ply),) = store.plies(conn, seen.game.id, seen.title, number - 1, number)
    return any(isinstance(event, GameStarted) for event in ply.events)


def _story(told: Sequence[Told], say: Reader) -> tuple[str, ...]:
    """A line for each ply, the latest last."""
    lines = [" ".join(ply.said) + (f" {say('(taken back)')}" if ply.withdrawn else "") for ply in told]
    if len(lines) <= PLIES_TOLD:
        return tuple(lines)
    before = len(lines) - PLIES_TOLD
    more = say("… and {count} moves before that, which the log of the game tells.", count=before)
    return (more, *lines[-PLIES_TOLD:])


def _actions(seen: Seen, say: Reader) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The legal actions by groups: all of a small group, else some of each sort, and how many are like them."""
    groups: dict[str, list[Action]] = {}
    for action in queries.actions(seen):
        groups.setdefault(action.group, []).append(action)
    most = ACTIONS_LISTED if len(groups) <= GROUPS_LISTED else 1
    return tuple((seen.language(say.lang).name(group), _group(seen, say, of, most)) for group, of in groups.items())


def _group(seen: Seen, say: Reader, actions: Sequence[Action], most: int) -> tuple[str, ...]:
    if len(actions) <= most:
        return tuple(_action(seen, say, action) for action in actions)
    sorts: dict[str, list[Action]] = {}
    for action in actions:
        sorts.setdefault(action.sentence.template, []).append(action)
    each = max(1, most // len(sorts))
    lines: list[str] = []
    for alike in sorts.values():
        shown = alike[:each]
        lines += [_action(seen, say, action) for action in shown]
        if len(alike) > len(shown):
            lines[-1] += f" {say('(and {count} more like it)', count=len(alike) - len(shown))}"
    return tuple(lines)


def _action(seen: Seen, say: Reader, action: Action) -> str:
    sentence = seen.say(action.sentence, say.lang).rstrip(".")
    if action.span is None:
        return sentence
    return f"{sentence} ({say('{low} to {high}', low=action.span.low, high=action.span.high)})"


def _picture(seen: Seen, view: Any, say: Reader) -> Picture:
    title: Title = seen.title
    drawn = title.picture(view, "light", seen.language(say.lang))
    return Picture(pictures.paint(drawn, PICTURE_WIDTH), seen.say(drawn.label, say.lang))


def _result_table(seen: Seen, result: Result, say: Reader) -> Table:
    """Players across, categories down, the total last; the best player first."""
    ranked = sorted(result.standings, key=lambda line: (line.place is None, line.place or 0, line.seat))
    categories = [category for category, _ in ranked[0].lines]
    points = [dict(line.lines) for line in ranked]
    rows = [
        (say("Place"), *(str(line.place) if line.place else say("left") for line in ranked)),
        *(
            (seen.language(say.lang).name(category), *(str(each.get(category, 0)) for each in points))
            for category in categories
        ),
        (say("Total"), *(str(line.total) for line in ranked)),
    ]
    return Table(("", *(seen.player(line.seat) for line in ranked)), tuple(rows))


# ==== mails to an address =========================================================================
def _sign_in(settings: Settings, conn: Connection, row: Any, say: Reader) -> Letter:
    address = link_address(settings, conn, row.payload)
    assert address is not None
    return Letter(
        lang=say.lang,
        subject=say("Sign in to Slow Train"), above="Slow Train", name="",
        heading=say("Sign in to Slow Train"),
        lead=(say("Somebody, probably you, wants to sign in with this address. The link works once, until {when}.",
                  when=say.when(row.created_at + LINK_LIFE)),),
        button=Button(say("Sign in"), address),
        small=(say("Opened in another browser than the one that asked, it asks for the six digits shown there."),
               say("If it was not you, do nothing: without this mail nobody gets in.")),
    )  # fmt: skip


def _invitation(settings: Settings, conn: Connection, row: Any, seen: Seen, say: Reader) -> Letter:
    host = conn.execute(select(PEOPLE.c.name).where(PEOPLE.c.id == row.payload["by"])).one_or_none()
    name = (host.name if host else "") or say("Somebody")
    title, table = called(seen.title, say.lang), seen.game.table
    assert table is not None
    invitation = links.invitation(settings, seen.game.id, seen.row.invites)
    return Letter(
        lang=say.lang,
        subject=say("An invitation to a game of {title}", title=title), above=title, name=seen.row.name,
        game_id=seen.game.id,
        heading=say("An invitation to a game of {title}", title=title),
        lead=(say("{name} invites you to a table for {seats}.", name=name, seats=table.seats),
              _free(say, table.seats - len(table.chairs) + len(queries.vacant(seen)), table.seats),
              say("Games here are played over days: you move when you find the time, and get a mail when it is "
                  "your turn.")),
        button=Button(say("See the table and join"), links.join_address(settings, invitation)),
        small=(say("If you do not want to play, do nothing. You will not be reminded."),),
        stop=Button(say("Never invite me again, whoever asks for it"),
                    links.never_address(settings, strangers.hash_of(row.address))),
    )  # fmt: skip
