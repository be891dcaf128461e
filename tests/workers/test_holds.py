"""Several notices in one mail, and mails that wait: for waking hours, a table, the daily digest, a working address."""

from datetime import date, datetime
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies
from sqlalchemy import update

from domain import lifecycle
from domain.pace import instant
from service.base.clock import DAY, HOUR, MINUTE, SECOND
from service.database.store import Store
from service.letters import several
from service.letters.letter import Mail
from service.notices import ledger
from service.notices.owing import PEOPLE
from service.people import accounts, addresses, mail_settings, presence
from tests.service.lanterns import ANN, BOB, NOON, game, give, lead
from tests.toy import Stop
from tests.workers.post import history, html_of, outbox, parse, person, table, text_of
from tests.workers.test_away import away
from workers import outbox as post_office
from workers.smtp import Bounced, Deferred

EIGHT = 1_800_000_000_000
"""`NOON` of the other tests is eight in the morning, UTC."""


class Server:
    """Takes mail; ``says``: its answers instead, once each."""

    def __init__(self, store: Store) -> None:
        self.store, self.mails, self.says = store, [], []

    def __call__(self, _: Any, mail: Mail, *more: Any) -> str:
        if self.says:
            raise self.says.pop(0)
        self.mails.append(parse(mail.source))
        return "250 Kept"

    def run(self, at: int) -> list[Any]:
        """Run the workers. Return the mails that arrived."""
        before = len(self.mails)
        post_office.send_due(self.store, send=self, now=lambda: at)
        return self.mails[before:]


@pytest.fixture
def server(store: Store) -> Server:
    return Server(store)


@pytest.fixture
def two(store: Store) -> tuple[int, int]:
    return person(store, "Ann"), person(store, "Bob")


def to(mails: list[Any], name: str) -> list[Any]:
    return [mail for mail in mails if mail["To"] == f"{name}@example.org"]


def wish(store: Store, who: int, at: int = NOON, **changes: Any) -> None:
    with store.write() as conn:
        mail_settings.change(conn, who, at, changes)


# ==== several in one ==============================================================================
def test_notices_due_together_become_one_mail_for_each_person(
    store: Store, server: Server, two: tuple[int, int]
) -> None:
    games = [table(store, *two, name=f"Table {n}") for n in (1, 2, 3)]
    mails = server.run(NOON)
    assert sorted(mail["To"] for mail in mails) == ["ann@example.org", "bob@example.org"]
    (mail,) = to(mails, "ann")
    assert mail["Subject"] == "3 games are waiting for you"
    text = text_of(mail)
    assert all(f"Lanterns: Table {n}" in text for n in (1, 2, 3))
    assert text.count("/turn/") == 3
    assert html_of(mail).count("<img") == 3
    pictures = [part["Content-ID"] for part in mail.walk() if part.get_content_type() == "image/png"]
    assert [f'src="cid:{name.strip("<>")}"' in html_of(mail) for name in pictures] == [True] * 3
    rows = [row for row in outbox(store) if row.person_id == two[0]]
    assert {(row.state, row.told_by) for row in rows} == {("sent", mail["Message-ID"])}
    assert games
    assert all(history(store, row.id) == ["sending", "accepted"] for row in rows)


def test_many_notices_are_told_from_rows_without_a_fold(
    store: Store, server: Server, two: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        table(store, *two, name=f"Table {number}")
    monkeypatch.setattr(store, "_fold", None)
    (mail,) = to(server.run(NOON), "ann")
    assert mail["Subject"] == "6 games are waiting for you"
    assert "It is your turn." in text_of(mail)
    assert "<img" not in html_of(mail)


def test_a_digest_of_many_games_omits_finished_turns(store: Store, server: Server, two: tuple[int, int]) -> None:
    games = [table(store, *two, name=f"Table {number}") for number in range(7)]
    now = game(store, games[0])
    give(store, games[0], ANN, now.title.rules.safe(now.state, ANN))
    assert to(server.run(NOON), "ann")[0]["Subject"] == "6 games are waiting for you"
    assert [row.state for row in outbox(store) if row.person_id == two[0]] == ["superseded"] + ["sent"] * 6


def test_a_part_that_cannot_be_written_spoils_no_other(
    store: Store, server: Server, two: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.letters import several

    games = [table(store, *two, name=f"Table {number}") for number in (1, 2)]
    whole = several.letter_of

    def breaks(store: Store, conn: Any, row: Any, *more: Any) -> Any:
        if row.game_id == games[0]:
            raise KeyError("ours")
        return whole(store, conn, row, *more)

    monkeypatch.setattr(several, "letter_of", breaks)
    text = text_of(to(server.run(NOON), "ann")[0])
    assert "Table 1" in text
    assert "Table 2" in text


def test_several_notices_of_one_game_are_a_mail_of_that_game(
    store: Store, server: Server, two: tuple[int, int]
) -> None:
    game_id = table(store, *two)
    leader = lead(store, game_id)
    other = BOB if leader == ANN else ANN
    give(store, game_id, leader, Stop())
    wish(store, two[other - 1], digest_at=18 * 60)
    give(store, game_id, leader, lifecycle.Resign(), at=NOON + HOUR)
    mails = to(server.run(NOON + 11 * HOUR), "ann" if other == ANN else "bob")
    assert len(mails) == 1
    assert mails[0]["Subject"] == "The game is over: A table (Lanterns)"


def test_a_mail_that_may_have_been_taken_is_resent_unchanged(
    store: Store, server: Server, two: tuple[int, int]
) -> None:
    wish(store, two[1], digest_at=0)
    table(store, *two), table(store, *two)
    server.says = [Deferred("the line was cut", maybe_taken=True)]
    assert to(server.run(NOON), "ann") == []
    tried = {row.told_by for row in outbox(store) if row.person_id == two[0]}
    table(store, *two, name="A third")
    mails = to(server.run(NOON + HOUR), "ann")
    assert [mail["Message-ID"] in tried for mail in mails].count(True) == 1
    assert len(mails) == 2


def test_an_untaken_mail_is_joined_with_newer_notices(store: Store, server: Server, two: tuple[int, int]) -> None:
    wish(store, two[1], digest_at=0)
    table(store, *two)
    server.says = [Deferred("451 Not now")]
    server.run(NOON)
    table(store, *two)
    assert [mail["Subject"] for mail in to(server.run(NOON + HOUR), "ann")] == ["2 games are waiting for you"]


# ==== mails that wait =============================================================================
def test_quiet_hours_hold_until_the_person_wakes(store: Store, server: Server, two: tuple[int, int]) -> None:
    with store.write() as conn:
        berlin = {"zone": "Europe/Berlin", "wakes_at": 10 * 60, "sleeps_at": 22 * 60, "quiet": True}
        conn.execute(update(PEOPLE).where(PEOPLE.c.id == two[0]).values(**berlin))
    table(store, *two)
    assert [mail["To"] for mail in server.run(EIGHT)] == ["bob@example.org"]  # nine in Berlin
    row = next(row for row in outbox(store) if row.person_id == two[0])
    assert (row.held, row.due_at) == ("quiet", EIGHT + HOUR)
    with store.read() as conn:
        (entry,) = ledger.entries(conn, two[0])
    assert (entry.steps[-1].what, entry.steps[-1].until) == ("held_quiet", EIGHT + HOUR)
    assert server.run(EIGHT + HOUR - 1) == []
    assert len(server.run(EIGHT + HOUR)) == 1


@pytest.mark.parametrize("change", [{"wakes_at": 8 * 60}, {"sleeps_at": 10 * 60}, {"zone": "Asia/Tokyo"}])
def test_mail_held_for_waking_hours_is_checked_again_when_they_change(
    store: Store, server: Server, two: tuple[int, int], change: dict[str, Any]
) -> None:
    wish(store, two[0], quiet=True)
    with store.write() as conn:
        accounts.change(conn, two[0], NOON, wakes_at=10 * 60, sleeps_at=18 * 60)
    table(store, *two)
    assert to(server.run(EIGHT), "ann") == []
    with store.write() as conn:
        accounts.change(conn, two[0], EIGHT + MINUTE, **change)
    assert len(to(server.run(EIGHT + MINUTE), "ann")) == 1


def test_the_daily_mail_comes_at_its_hour_with_all_notices(store: Store, server: Server, two: tuple[int, int]) -> None:
    wish(store, two[0], digest_at=18 * 60)
    table(store, *two)
    server.run(EIGHT)
    table(store, *two, at=NOON)
    assert to(server.run(EIGHT + 10 * HOUR - 1), "ann") == []
    assert [mail["Subject"] for mail in to(server.run(EIGHT + 10 * HOUR), "ann")] == ["2 games are waiting for you"]


def test_a_withdrawn_setting_releases_held_mail(store: Store, server: Server, two: tuple[int, int]) -> None:
    wish(store, two[0], digest_at=18 * 60)
    table(store, *two)
    server.run(EIGHT)
    wish(store, two[0], EIGHT + MINUTE, digest_at=None)
    assert len(to(server.run(EIGHT + MINUTE), "ann")) == 1


def test_a_person_at_the_table_gets_mail_after_leaving(store: Store, server: Server, two: tuple[int, int]) -> None:
    here, there = table(store, *two), table(store, *two, name="Elsewhere")
    with store.write() as conn:
        presence.note(conn, two[0], here, NOON - 30 * SECOND, 120 * SECOND)
    assert [mail["Subject"] for mail in to(server.run(NOON), "ann")] == ["Your turn: Elsewhere (Lanterns)"]
    assert to(server.run(NOON + 89 * SECOND), "ann") == []
    assert [mail["Subject"] for mail in to(server.run(NOON + 90 * SECOND), "ann")] == ["Your turn: A table (Lanterns)"]
    assert there


def test_a_page_left_open_holds_mail_only_for_a_while(store: Store, server: Server, two: tuple[int, int]) -> None:
    game_id = table(store, *two)
    sent = []
    for minute in range(20):
        with store.write() as conn:
            presence.note(conn, two[0], game_id, NOON + minute * MINUTE, 120 * SECOND)
        sent += [minute for _ in to(server.run(NOON + minute * MINUTE), "ann")]
    assert sent == [16] or sent == [15]
    steps = history(store, outbox(store)[0].id)
    assert steps == ["held_present", "sending", "accepted"], "it is said once"


def test_requested_links_never_wait(store: Store, server: Server, two: tuple[int, int]) -> None:
    with store.write() as conn:
        held = {"quiet": True, "wakes_at": 23 * 60, "sleeps_at": 23 * 60 + 30, "digest_at": 0, "mail_flagged_at": NOON}
        conn.execute(update(PEOPLE).where(PEOPLE.c.id == two[0]).values(**held))
        mail_settings.stop_mail(conn, two[0], NOON)
        accounts.ask_for_link(conn, store.settings, "ann@example.org", browser="b", next="/", lang="en", at=NOON)
        addresses.ask_to_confirm(conn, store.settings, two[0], lang="de", at=NOON)
    assert sorted(mail["Subject"] for mail in server.run(NOON)) == [
        "Funktioniert diese Adresse wieder?",
        "Sign in to Slow Train",
    ]


@pytest.mark.parametrize("which", [{"kind": "turn"}, {"game": True}, {"kind": "turn", "game": True}])
def test_a_switch_ends_a_mail_and_says_so(
    store: Store, server: Server, two: tuple[int, int], which: dict[str, Any]
) -> None:
    game_id = table(store, *two)
    off = {**({"kind": which["kind"]} if "kind" in which else {}), **({"game_id": game_id} if "game" in which else {})}
    with store.write() as conn:
        mail_settings.switch(conn, two[0], wanted=False, **off)
        mail_settings.switch(conn, two[0], wanted=False, **off)
    assert to(server.run(NOON), "ann") == []
    row = next(row for row in outbox(store) if row.person_id == two[0])
    assert (row.state, history(store, row.id)) == ("superseded", ["switched_off"])


@pytest.mark.parametrize("games", [2, several.TOLD_IN_FULL + 1])
def test_a_host_without_a_seat_is_told_of_several_games_in_one_mail(
    store: Store, server: Server, two: tuple[int, int], games: int
) -> None:
    host = person(store, "Hugo")
    for number in range(games):
        away(store, *two, host_id=host, name=f"Table {number}")
    (mail,) = to(server.run(NOON + 2 * DAY), "hugo")
    assert mail["Subject"] == f"News from {games} games"
    assert text_of(mail).count("The game is waiting for its players.") == games


# ==== again, and bad addresses ====================================================================
def test_a_mail_requested_again_is_checked_again(store: Store, server: Server, two: tuple[int, int]) -> None:
    game_id = table(store, *two)
    server.run(NOON)
    now = game(store, game_id)
    give(store, game_id, ANN, now.title.rules.safe(now.state, ANN))
    wish(store, two[1], quiet=True, digest_at=0)
    with store.write() as conn:
        for row in outbox(store):
            assert ledger.send_again(conn, row.person_id, row.id, NOON + MINUTE)
    assert [mail["To"] for mail in server.run(NOON + MINUTE)] == ["bob@example.org"], "Ann has moved; Bob asked for it"


def test_an_address_that_fails_holds_mail_until_it_works(store: Store, server: Server, two: tuple[int, int]) -> None:
    wish(store, two[1], digest_at=0)
    table(store, *two)
    server.says = [Bounced("550 5.1.1 Nobody here", of_address=True)]
    server.run(NOON)
    table(store, *two, name="Another")
    assert to(server.run(NOON + HOUR), "ann") == []
    with store.write() as conn:
        addresses.unflag(conn, two[0], NOON + 2 * HOUR)
    assert [mail["Subject"] for mail in to(server.run(NOON + 2 * HOUR), "ann")] == ["2 games are waiting for you"]


def test_mail_for_an_address_that_never_works_again_is_given_up(
    store: Store, server: Server, two: tuple[int, int]
) -> None:
    table(store, *two)
    with store.write() as conn:
        conn.execute(update(PEOPLE).values(mail_flagged_at=NOON, mail_flag="550"))
    for day in range(32):
        assert server.run(NOON + day * DAY) == []
    assert {row.state for row in outbox(store)} == {"dead"}
    assert history(store, outbox(store)[0].id) == ["held_flagged", "given_up"]


def test_a_failure_not_caused_by_the_address_flags_nobody(store: Store, server: Server, two: tuple[int, int]) -> None:
    table(store, *two)
    server.says = [Bounced("552 5.3.4 Too big"), Deferred("451 Later")]
    server.run(NOON)
    with store.read() as conn:
        assert mail_settings.of(conn, two[0]).flagged_at is None


# ==== the arithmetic of clocks ====================================================================
ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Africa/Casablanca",
    "America/St_Johns",
    "Pacific/Apia",
    "Asia/Tehran",
)
MOMENTS = strategies.integers(1_700_000_000_000, 1_900_000_000_000)


@given(strategies.sampled_from(ZONES), strategies.integers(0, 24 * 60 - 1), MOMENTS)
def test_the_next_time_of_day_is_later_within_a_day_or_so_and_shows_on_the_clock(
    zone: str, minutes: int, after: int
) -> None:
    there = mail_settings.next_time(minutes, zone, after)
    assert after < there <= after + 26 * HOUR
    clock = datetime.fromtimestamp(there / 1000, ZoneInfo(zone))
    shown = clock.hour * 60 + clock.minute
    jumped = clock.utcoffset() != datetime.fromtimestamp(there / 1000 - 7200, ZoneInfo(zone)).utcoffset()
    assert shown == minutes or jumped


def test_a_skipped_hour_ends_when_the_clocks_jump() -> None:
    """Half past two, in the night of 28 March 2027 in Berlin, by the rules for deadlines of games."""
    evening, jump = 1_806_177_600_000, 1_806_195_600_000
    assert mail_settings.next_time(2 * 60 + 30, "Europe/Berlin", evening) == jump
    assert instant(ZoneInfo("Europe/Berlin"), date(2027, 3, 28).toordinal(), 2 * 60 + 30) == jump


def test_the_daily_mail_keeps_its_hour_when_the_clocks_change() -> None:
    at, days = 1_806_000_000_000, []  # March 2027
    for _ in range(20):
        at = mail_settings.next_time(18 * 60, "Europe/Berlin", at)
        days.append(at)
    assert {datetime.fromtimestamp(day / 1000, ZoneInfo("Europe/Berlin")).hour for day in days} == {18}
    assert {later - earlier for earlier, later in pairwise(days)} == {24 * HOUR, 23 * HOUR}
