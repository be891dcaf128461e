"""The table of who may see what. One test reads every address of the application as every kind of reader.

A fact is a word that stands in one place: a line of talk, a note, the name of a game. Each reader fetches all pages,
feeds and files and everything in the API, and finds exactly the facts that the table gives them. A second table says
who hears of each deed: by a tick, by email, and on their devices.
"""

import io
import itertools
import re
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import insert, select, update

from domain.clock import FreeSeat
from domain.lifecycle import Resign, StartGame
from domain.pace import DAY, HOUR, Pace
from service.base import links
from service.base.clock import now
from service.database.store import PERSONS, Store
from service.database.work import Work
from service.games import notes, rights, sandboxes, saying, talk, talk_reports
from service.games.rights import ByPerson
from service.live.streams import ticket, topics_of
from service.notices.kinds import KINDS
from service.notices.owing import OUTBOX
from service.notices.webhooks import CALLS, WEBHOOKS, make
from service.operators import acts
from service.operators import notes as operators_notes
from service.people import acquaintances
from service.record import profiles, rows
from service.record.ratings import RATINGS
from tests import road
from tests.answers import came
from tests.listeners import listening
from tests.service.lanterns import game, give, open_table, play_on
from tests.service.record.lives import finish
from tests.service.web.pages.browser import Browser
from tests.toy import Choose, Stop, Whisper
from tests.workers.post import sit_down, table

# ==== the table of facts ==========================================================================
FACTS = """
                                  player resigned substitute replaced blocked spectator guest stranger nobody operator
game                              roRO   roRO     roRO       ro       roRO    roRO      roRO  ro       ro     roRO
letters about the game            roRO   roRO     oO         roRO     -       -         -     -        -      roRO
hidden move of the player         roRO   oO       oO         o        oO      oO        oO    o        o      o
line of the players               roRO   roRO     roRO       -        -       -         -     -        -      -
line of the spectators            oO     oO       oO         ro       roRO    roRO      -     ro       -      ro
line of a person they block       -      oO       oO         ro       roRO    roRO      -     ro       -      ro
line that was reported            roRO   roRO     roRO       -        -       -         -     -        -      roRO
reason of the report              -      -        roRO       -        -       -         -     -        -      roRO
private note                      roRO   -        -          -        -       -         -     -        -      -
operators' note on the person     roRO   -        -          -        -       -         -     -        -      roRO
operators' note on the game       -      -        -          -        -       -         -     -        -      roRO
sandbox                           roRO   -        -          -        -       -         -     -        -      -
incoming email                    roRO   -        -          -        -       -         -     -        -      -
email address                     roRO   -        -          -        -       -         -     -        -      roRO
webhook                           roRO   -        -          -        -       -         -     -        -      -
device                            roRO   -        -          -        -       -         -     -        -      -
person on their list              roRO   -        -          -        -       -         -     -        -      -
person who blocks them            -      -        -          -        -       -         -     -        -      -
rating on a profile               roRO   roRO     roRO       roRO     roRO    roRO      roRO  roRO     roRO   roRO
rating that is hidden             roRO   -        -          -        -       -         -     -        -      -
public game on a profile          roRO   roRO     roRO       roRO     roRO    roRO      roRO  roRO     roRO   roRO
private game on a profile         roRO   roRO     -          -        -       -         -     -        -      roRO
public table in the lobby         roRO   roRO     roRO       roRO     roRO    roRO      roRO  roRO     roRO   roRO
table for invited people          roRO   -        -          -        -       -         -     -        -      roRO
private table                     roRO   -        -          -        -       -         -     -        -      roRO
"""
"""When a reader sees a fact: r, o: of a public game that runs, or is over; R, O: the same of a private game.

Facts are those of the player, unless their names say otherwise. A resigned player keeps the seat; a replaced one has
lost it to the substitute. Spectator, guest and blocked person have the invitation, and the guest is not signed in; nor
is nobody.
"""

MARKS = {
    "game": "Marshalling yard", "letters about the game": "Marshalling yard",
    "hidden move of the player": r'(?:"number": ?|[Ww]hisper[a-z]* )73\b', "line of the players": "Platelayers",
    "line of the spectators": "Onlookers", "line of a person they block": "Outcry", "line that was reported": "Insult",
    "reason of the report": "Complaint", "private note": "Notabene",
    "operators' note on the person": "Firebox", "operators' note on the game": "Smokestack", "sandbox": "Sandcastle",
    "incoming email": "Missive", "email address": "petra@example.org", "webhook": "hooks.example/hookline",
    "device": "push.example/pushpin", "person on their list": "Lionel", "person who blocks them": "Xenia",
    "rating on a profile": "47118264", "rating that is hidden": "53127496", "public game on a profile": "Bygone days",
    "private game on a profile": "Buried days", "public table in the lobby": "Open door",
    "table for invited people": "Guest list", "private table": "Closed door",
}  # fmt: skip

SAME_FOR_ALL = (
    "/static/", "/fonts/", "/boards/", "/style.css", "/icon-", "/learn", "/rules", "/legal", "/api/v1/docs",
    "/api/v1/openapi.json", "/api/v1/titles", "/api/v1/paces", "/healthz", "/readyz", "/metrics", "/manifest",
    "/service-worker.js", "/offline",
)  # fmt: skip
ELSEWHERE = {
    "/mailbox": "the mailbox of a machine has a key of its own (test_hosts)",
    "/operate/people$": "operators read the list of all people there, whoever they are to the player",
}
"""Patterns of addresses that are left out, each with the reason."""

LEDGERS = ("/account/mail/sent", "/api/v1/me/notices", "/account/export", "/api/v1/me/export", "/operate/mails")
"""Lists of letters: they name the game of a letter to everybody who got it."""


def read_table(text: str) -> tuple[list[Any], dict[str, dict[Any, str]]]:
    """Return the readers of a table, and row -> reader -> letters."""
    head, *lines = text.strip("\n").splitlines()
    names = head.split()
    rows = {}
    for line in lines:
        label, cells = line[:34].strip(), line[34:].split()
        rows[label] = dict(zip(names, (it.replace("-", "") for it in cells), strict=True))
    return names, rows


READERS, SEEN = read_table(FACTS)


# ==== the people and their game ===================================================================
PACE = Pace(turn=DAY, excuse=False, then="substitute")


class Cast:
    """A game of the player and two others, with all other readers around it. ``at``: the time of its deeds."""

    def __init__(self, arrive: Any, nobody: Browser, guest: Browser, shelf: Store, letter: str) -> None:
        self.store, self.at, self.since = shelf, now(), now() - 10 * DAY
        self.public, self.over = letter in "ro", letter in "oO"
        signed_in = {
            "player": "Petra", "resigned": "Rita", "substitute": "Sven", "replaced": "Leo", "blocked": "Bea",
            "spectator": "Sam", "stranger": "Uma", "operator": "Otto", "liked": "Lionel", "blocker": "Xenia",
        }  # fmt: skip
        self.browsers: dict[str, Browser] = {role: arrive(name) for role, name in signed_in.items()}
        self.people = {role: it.number for role, it in self.browsers.items()}
        self.names = list(signed_in.values())
        self.browsers |= {"guest": guest, "nobody": nobody}
        with shelf.write() as conn:
            conn.execute(update(PERSONS).values(created_at=self.since))
        acts.add(shelf, acts.AT_THE_COMMAND_LINE, self["operator"], self.at)
        self.id = self._game()
        token = links.guest_pass(shelf.settings, self.id, 0)
        self.passes = dict.fromkeys(("blocked", "spectator", "guest"), "" if self.public else token)
        for role, invite in self.passes.items():
            if invite:
                self.browsers[role].client.set_cookie("invite", invite)
        with shelf.write() as conn:
            acquaintances.add(conn, self["player"], "blocked", self["blocked"], self.at)
            acquaintances.add(conn, self["player"], "liked", self["liked"], self.at)
            acquaintances.add(conn, self["blocker"], "blocked", self["player"], self.at)
            acquaintances.add(conn, self["blocker"], "liked", self["blocked"], self.at)
            acquaintances.add(conn, self["blocker"], "muted", self["resigned"], self.at)
        for role in ("blocked", "spectator"):
            talk.read(Work(shelf), rights.see(Work(shelf), self.actor(role), self.id), "spectators", self.at)

    def __getitem__(self, role: str) -> int:
        return self.people[role]

    def actor(self, role: str) -> ByPerson:
        return ByPerson(self[role], invite=self.passes.get(role, ""))

    def _game(self) -> str:
        made = open_table(
            self.store, 3, at=self.since, public=self.public, host_id=self["player"], pace=PACE, name=MARKS["game"]
        )
        sit_down(self.store, made, *(self[it] for it in ("player", "replaced", "resigned")), at=self.since)
        give(self.store, made, None, StartGame(), at=self.since)
        give(self.store, made, None, FreeSeat(2), at=self.since)
        road.take_over(self.store, made, 2, person_id=self["substitute"], at=self.since, invitation=0)
        give(self.store, made, 3, Resign(), at=self.since)
        give(self.store, made, 1, Whisper(73), at=self.since)
        if self.over:
            play_on(self.store, made, since=self.since)
        return made

    def say(self, role: str, text: str) -> int:
        return saying.say(Work(self.store), self.actor(role), self.id, text, self.at)

    def ask(self, role: str, address: str) -> Any:
        """Return the answer to a reader. Programs show their invitation in the address; browsers keep it."""
        invite = self.passes.get(role, "")
        shown = f"{address}?{urlencode({'invite': invite})}" if invite and "/api/v1/games/" in address else address
        return self.browsers[role].client.get(shown)


@pytest.fixture
def cast(request: pytest.FixtureRequest, arrive: Any, guest: Browser, app: Any, shelf: Store) -> Cast:
    return Cast(arrive, Browser(app), guest, shelf, request.param)


# ==== what they see ===============================================================================
def write_all(cast: Cast) -> None:
    """Write every fact once."""
    store, at, player = cast.store, cast.at, cast["player"]
    cast.say("substitute", MARKS["line of the players"])
    number = cast.say("resigned", MARKS["line that was reported"])
    cast.say("spectator", MARKS["line of the spectators"])
    cast.say("blocked", MARKS["line of a person they block"])
    report = "players", [number], MARKS["reason of the report"], at
    talk_reports.report(Work(store), cast.actor("substitute"), cast.id, *report)  # type: ignore[arg-type]
    sandboxes.begin(Work(store), cast.actor("player"), cast.id, name=MARKS["sandbox"], at=at)
    letter = f"From: petra@example.org\nSubject: x\n\n{MARKS['incoming email']}\n"
    operators_notes.about_person(store, acts.AT_THE_COMMAND_LINE, player, MARKS["operators' note on the person"], at)
    operators_notes.about_game(store, acts.AT_THE_COMMAND_LINE, cast.id, MARKS["operators' note on the game"], at)
    with store.write() as conn:
        notes.add(conn, player, cast.id, MARKS["private note"], "key", at)
        came(conn, at, raw=letter.encode(), person_id=player, state="done", what="receipt")
        make(conn, store.settings, player, f"https://{MARKS['webhook']}", ["turn"], at)
        device(conn, player, f"https://{MARKS['device']}")
    for name, more in {
        "public table in the lobby": {}, "table for invited people": {"by_invitation": True},
        "private table": {"public": False},
    }.items():  # fmt: skip
        open_table(store, host_id=player, name=MARKS[name], at=at, **more)
    write_past(cast)


def write_past(cast: Cast) -> None:
    """Write profiles: finished games, and ratings, of which the player hides theirs."""
    store, pair = cast.store, (cast["player"], cast["resigned"])
    for name, public in (("public game on a profile", True), ("private game on a profile", False)):
        old = table(store, *pair, at=cast.since - DAY, name=MARKS[name], public=public, pace=PACE)
        finish(store, old, cast.since - HOUR)
    rows.make_due(store)
    mus = MARKS["rating that is hidden"], MARKS["rating on a profile"]
    with store.write() as conn:
        public_one = conn.execute(select(rows.ROWS.c.game_id).where(rows.ROWS.c.person_id == pair[0])).scalars().first()
        for seat, (who, mu) in enumerate(zip(pair, mus, strict=True), 1):
            row = {"game_id": public_one, "seat": seat, "person_id": who, "title": "toy", "ended_at": cast.since}
            strength = {"mu": int(mu) * 10**6, "sigma": 0, "before_mu": 0, "before_sigma": 0, "formula": 1}
            conn.execute(insert(RATINGS).values(row | strength))
        profiles.hide(conn, pair[0], ["ratings"])


def device(conn: Any, person_id: int, endpoint: str) -> None:
    keys = {"p256dh": "", "auth": ""}
    row = {"person_id": person_id, "url": endpoint, "kinds": " ".join(KINDS), "push": keys, "created_at": 0}
    conn.execute(insert(WEBHOOKS).values(nonce="", secret_hash="", **row))


def addresses(cast: Cast) -> list[str]:
    """Return every address of the application, for everything in this game and about its people."""
    store = cast.store
    with store.read() as conn:
        pair = PERSONS.c.id.in_((cast["player"], cast["resigned"]))
        profiles_of = list(conn.scalars(select(PERSONS.c.profile).where(pair)))
        (sandbox,) = (it.id for it in sandboxes.mine(conn, cast["player"]))
    values: Mapping[str, list[Any]] = {
        "game_id": [cast.id], "sandbox_id": [sandbox], "version": [1, game(store, cast.id).version],
        "whose": ["players", "spectators"], "address": profiles_of, "person_id": [cast["player"]],
        "number": [1], "notice_id": [1], "mail_id": [1], "token": ["x" * 43], "lang": ["en"], "title": ["toy"],
    }  # fmt: skip
    rules = {
        it.rule for it in cast.browsers["guest"].client.application.url_map.iter_rules() if "GET" in (it.methods or ())
    }
    found = ["/games?which=all", "/games?page=2", "/operate/games?q=", "/api/v1/games?which=mine"]
    found += [f"/api/v1/games?which={it}" for it in ("mine", "open", "watchable", "finished")]
    for rule in sorted(it for it in rules if not it.startswith(SAME_FOR_ALL) and not it.endswith(".png")):
        names = re.findall(r"<(?:[^:<>]*:)?([^<>]*)>", rule)
        for given in itertools.product(*(values[it] for it in names)):
            filled = iter(given)
            found.append(re.sub(r"<[^<>]*>", lambda _: str(next(filled)), rule))  # noqa: B023
    return [it for it in found if not any(re.match(place, it) for place in ELSEWHERE)]


def is_in(address: str, places: Collection[str]) -> bool:
    return address.startswith(tuple(places))


def words_of(answer: Any) -> Iterator[bytes]:
    """Yield what an answer says: its head, and its body, with the files in an archive."""
    yield str(answer.headers).encode()
    if answer.mimetype == "application/zip":
        with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
            yield from (packed.read(name) for name in packed.namelist())
    else:
        yield answer.data


@pytest.mark.parametrize("cast", ["r", "o", "R", "O"], indirect=True)
def test_everybody_sees_exactly_what_they_may(cast: Cast, request: pytest.FixtureRequest) -> None:
    letter = request.node.callspec.params["cast"]
    write_all(cast)
    where: dict[tuple[str, str], str] = {}
    asked = addresses(cast)
    for role, address in itertools.product(READERS, asked):
        answer = cast.ask(role, address)
        assert answer.status_code < 429, (role, address)
        said = b"\n".join(words_of(answer))
        for fact, mark in MARKS.items():
            its_place = fact not in ("game", "letters about the game") or is_in(address, LEDGERS) == (fact != "game")
            if its_place and re.search(mark.encode(), said):
                where[fact, role] = address
    should = {(fact, role) for fact, its in SEEN.items() for role, letters in its.items() if letter in letters}
    assert {it: where[it] for it in where.keys() - should} == {}, "seen, and should not be"
    assert should - where.keys() == set(), "should be seen, and is not"


# ==== what they hear ==============================================================================
HEARD = """
                                  player resigned substitute replaced blocked spectator guest stranger nobody operator
tick: a move                      rR     rR       rR         r        rR      rR        rR    r        r      r
tick: a hidden move               rR     -        -          -        -       -         -     -        -      -
tick: a line of the players       roRO   roRO     roRO       -        -       -         -     -        -      -
tick: a line of the spectators    oO     oO       oO         -        roRO    roRO      -     -        -      -
tick: a line of the blocked       -      oO       oO         -        roRO    roRO      -     -        -      -
tick: a note, a report, a block   -      -        -          -        -       -         -     -        -      -
mail: a move                      rR     -        -          -        -       -         -     -        -      -
mail: a hidden move               -      -        -          -        -       -         -     -        -      -
mail: a line of the players       roRO   roRO     -          -        -       -         -     -        -      -
mail: a line of the spectators    oO     oO       oO         -        ro      -         -     -        -      -
mail: a line of the blocked       -      oO       oO         -        -       ro        -     -        -      -
mail: a note, a report, a block   -      -        -          -        -       -         -     -        -      -
"""
"""Deed -> the readers who hear of it, with the letters of `FACTS`. Each line mentions everybody.

The move is the substitute's, and asks the player. The spectator and the blocked person have looked at the spectators'
talk before; others hear of it from their first look on. A tick comes exactly when the mark of the
reader's page changes. A device hears of what there is a letter about.
"""
_, HEARERS = read_table(HEARD)


def let_substitute_lead(cast: Cast) -> None:
    """Go on until the substitute leads a round: the highest card does."""
    while (state := game(cast.store, cast.id).state).leader != 2:
        if state.leader is not None:
            give(cast.store, cast.id, state.leader, Stop(), at=cast.at)
        for seat, card in ((1, min), (2, max)):
            give(cast.store, cast.id, seat, Choose(card(game(cast.store, cast.id).state.hands[seat])), at=cast.at)


def end_round(cast: Cast) -> None:
    give(cast.store, cast.id, 2, Stop(), at=cast.at)


def whisper(cast: Cast) -> None:
    give(cast.store, cast.id, 1, Whisper(5), at=cast.at)


def mention(role: str) -> Callable[[Cast], None]:
    """Return the deed of a reader who writes a line that mentions everybody."""

    def writes(cast: Cast) -> None:
        cast.say(role, " ".join(f"@{it}" for it in cast.names))

    return writes


def write_other_things(cast: Cast) -> None:
    talk_reports.report(Work(cast.store), cast.actor("resigned"), cast.id, "players", [1], "rude", cast.at)
    with cast.store.write() as conn:
        notes.add(conn, cast["player"], cast.id, "a note", "key", cast.at)
        acquaintances.add(conn, cast["player"], "blocked", cast["stranger"], cast.at)


DEEDS: Mapping[str, Callable[[Cast], None]] = {
    "a move": end_round, "a hidden move": whisper, "a line of the players": mention("substitute"),
    "a line of the spectators": mention("spectator"), "a line of the blocked": mention("blocked"),
    "a note, a report, a block": write_other_things,
}  # fmt: skip
MOVES = ("a move", "a hidden move")


def topics(cast: Cast, role: str) -> frozenset[str]:
    """Return what the streams of a reader's browser hear, by the tokens that its page gets."""
    asked = [cast.ask(role, "/live/mine"), cast.ask(role, f"/games/{cast.id}/live")]
    tokens = [it.json["token"] for it in asked if it.status_code == 200 and "token" in it.json]
    given = urlencode([("t", each) for each in tokens])
    return ticket(cast.store.settings, given, now()).topics if tokens else frozenset()


def marks(cast: Cast) -> dict[str, str | None]:
    """Return the marks of everybody's page; None for readers who may not see the game."""
    answers = {role: cast.ask(role, f"/games/{cast.id}/version") for role in READERS}
    return {role: it.headers["ETag"] if it.status_code == 200 else None for role, it in answers.items()}


def owed(cast: Cast) -> tuple[set[str], set[str]]:
    """Take away what is owed. Return the readers with a letter, and those with a call to their device."""
    with cast.store.write() as conn:
        letters = set(conn.scalars(select(OUTBOX.c.person_id).where(OUTBOX.c.game_id == cast.id)))
        hooks = select(WEBHOOKS.c.person_id).join(CALLS, CALLS.c.webhook_id == WEBHOOKS.c.id)
        calls = set(conn.scalars(hooks.where(CALLS.c.game_id == cast.id)))
        for rows_of_it in (OUTBOX, CALLS):
            conn.execute(rows_of_it.delete())
    people = {number: role for role, number in cast.people.items()}
    return {people[it] for it in letters}, {people[it] for it in calls}


@pytest.mark.parametrize("cast", ["r", "o", "R", "O"], indirect=True)
def test_everybody_hears_exactly_what_they_may(cast: Cast, request: pytest.FixtureRequest) -> None:
    letter, found = request.node.callspec.params["cast"], {}
    with cast.store.write() as conn:
        for number in cast.people.values():
            device(conn, number, f"https://push.example/{number}")
    if not cast.over:
        let_substitute_lead(cast)
    cast.say("blocked", "Hello")
    with listening(cast.store.settings) as listener:
        for name, deed in DEEDS.items():
            if cast.over and name in MOVES:
                continue
            before, heard = marks(cast), {role: topics(cast, role) for role in READERS}
            owed(cast)
            listener.heard()
            deed(cast)
            ticks, after = listener.heard(), marks(cast)
            reached = {role for role in READERS if any(not heard[role].isdisjoint(topics_of(it)) for it in ticks)}
            assert reached == {role for role in READERS if before[role] != after[role]}, name
            letters, calls = owed(cast)
            assert letters == calls, name
            found |= {f"tick: {name}": reached, f"mail: {name}": letters}
    should = {deed: {role for role in READERS if letter in its[role]} for deed, its in HEARERS.items() if deed in found}
    assert found == should
