"""The second factor of operators, on both databases: each code works once, few tries, no secret stored."""

import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
from pyotp import TOTP
from sqlalchemy import select

from service.base.clock import DAY, MINUTE, SECOND
from service.database.store import Store
from service.keeping import personal
from service.operators import acts, second_factor
from service.operators.acts import AT_THE_COMMAND_LINE, NoSecondFactor, Who
from service.operators.second_factor import PAUSE, RECOVERY_CODES, TRIES, CodeTried
from service.people import accounts
from tests.service.lanterns import NOON
from tests.service.operators.test_operators import Slowtrain, slowtrain, somebody
from workers import future_times

__all__ = ["slowtrain"]

STEP = 30 * SECOND


class Olga(msgspec.Struct):
    """An operator with an app on her phone."""

    store: Store
    id: int
    secret: str
    recovery: tuple[str, ...]

    def code(self, at: int) -> str:
        return TOTP(self.secret).at(at // SECOND)

    def prove(self, given: str, at: int) -> CodeTried:
        with self.store.write() as conn:
            return second_factor.prove(conn, self.store.settings, self.id, given, at)


def setup(store: Store, person_id: int, code: str, at: int = NOON) -> Olga:
    settings = store.settings
    with store.write() as conn:
        outcome, shown = second_factor.show(conn, settings, person_id, code, at)
    assert outcome.right
    assert shown is not None
    secret = shown.secret.replace(" ", "")
    with store.write() as conn:
        done = second_factor.set_up(conn, settings, person_id, code, TOTP(secret).at(at // SECOND), at)
    assert done.right
    return Olga(store, person_id, secret, done.recovery_codes)


@pytest.fixture
def olga(store: Store) -> Olga:
    number = somebody(store, "Olga")
    return setup(store, number, acts.add(store, AT_THE_COMMAND_LINE, number, NOON))


LATER = NOON + 10 * STEP


# ==== a code of the app ===========================================================================
def test_a_code_works_once_and_invalidates_earlier_codes(olga: Olga) -> None:
    assert olga.prove(olga.code(NOON), NOON).tried == "used", "the one it was set up with"
    now, before = olga.code(LATER), olga.code(LATER - STEP)
    assert olga.prove(now, LATER).right
    assert olga.prove(now, LATER).tried == "used"
    assert olga.prove(now, LATER + STEP).tried == "used"
    assert olga.prove(before, LATER).tried == "used"
    assert olga.prove(olga.code(LATER + STEP), LATER + STEP).right


@pytest.mark.parametrize(("off", "tried"), [(-2, "wrong"), (-1, "right"), (0, "right"), (1, "right"), (2, "wrong")])
def test_a_clock_may_be_off_by_one_step(olga: Olga, off: int, tried: str) -> None:
    assert olga.prove(olga.code(LATER + off * STEP), LATER).tried == tried


@pytest.mark.parametrize(
    "given", ["", " ", "12345", "1234567", "abcdef", "٠١٢٣٤٥", "１２３４５６", "1" * 10_000, "\0", "-1"]
)
def test_a_text_that_is_no_code_is_wrong(olga: Olga, given: str) -> None:
    assert olga.prove(given, LATER).tried == "wrong"


def test_a_code_may_be_typed_in_groups(olga: Olga) -> None:
    code = olga.code(LATER)
    assert olga.prove(f" {code[:3]} {code[3:]} ", LATER).right


# ==== few tries ===================================================================================
def test_after_five_wrong_codes_there_is_a_pause_and_each_further_one_is_longer(olga: Olga) -> None:
    at = LATER
    for pause in (PAUSE, 2 * PAUSE, 4 * PAUSE):
        assert [olga.prove("000 00x", at).tried for _ in range(TRIES)] == ["wrong"] * TRIES
        shut = olga.prove(olga.code(at), at)
        assert (shut.tried, shut.until) == ("pause", at + pause)
        assert olga.prove(olga.recovery[0], at + pause - 1).tried == "pause"
        at += pause
    assert olga.prove(olga.code(at), at).right
    assert [olga.prove("x", at).tried for _ in range(TRIES)] == ["wrong"] * TRIES, "a right one begins the count anew"
    for _ in range(20):
        at += DAY
        assert [olga.prove("x", at).tried for _ in range(TRIES + 1)][-1] == "pause"
    assert olga.prove("x", at).until - at == DAY, "the longest pause"


def test_simultaneous_guesses_count_like_successive_ones(olga: Olga) -> None:
    with ThreadPoolExecutor(8) as pool:
        tried = list(pool.map(lambda it: olga.prove(f"{it:06}", LATER).tried, range(24)))
    assert tried.count("wrong") <= TRIES
    assert tried.count("pause") >= 24 - TRIES - 1  # a guess is right with a chance of one in 300,000


def test_a_code_sent_twice_at_one_moment_works_once(olga: Olga) -> None:
    with ThreadPoolExecutor(4) as pool:
        for code in (olga.code(LATER), olga.recovery[3]):
            tried = list(pool.map(lambda _, code=code: olga.prove(code, LATER).tried, range(4)))  # type: ignore[misc]
            assert tried.count("right") == 1, tried


def test_a_clock_that_was_ahead_for_a_while_shuts_nobody_out(olga: Olga) -> None:
    ahead = LATER + 365 * DAY
    assert olga.prove(olga.code(ahead), ahead).right
    assert [olga.prove("x", ahead).tried for _ in range(TRIES)][-1] == "wrong"
    assert olga.prove(olga.code(LATER), LATER).tried == "pause"
    future_times.clamp(olga.store, LATER)
    later = LATER + 2 * STEP
    assert olga.prove(olga.code(LATER), LATER).tried == "used", "codes of the moment it was set back wait a minute"
    assert olga.prove(olga.code(later), later).right


# ==== recovery codes ==============================================================================
def test_each_recovery_code_is_good_once(olga: Olga) -> None:
    assert len(set(olga.recovery)) == RECOVERY_CODES
    first, second = olga.recovery[:2]
    assert olga.prove(first, LATER) == CodeTried("right", by_recovery=True)
    assert olga.prove(first, LATER).tried == "wrong"
    assert olga.prove(second.lower().replace("-", " "), LATER).right
    with olga.store.read() as conn:
        assert second_factor.state(conn, olga.id, LATER).left == RECOVERY_CODES - 2


def test_a_recovery_code_is_its_owners_alone(olga: Olga) -> None:
    store = olga.store
    number = somebody(store, "Otto")
    otto = setup(store, number, acts.add(store, AT_THE_COMMAND_LINE, number, NOON))
    assert otto.prove(olga.recovery[0], LATER).tried == "wrong"
    assert otto.prove(olga.code(LATER), LATER).tried == "wrong"
    assert olga.prove(olga.recovery[0], LATER).right


# ==== setting it up ===============================================================================
def test_a_setup_code_is_good_once_and_for_a_day(store: Store) -> None:
    number = somebody(store, "Olga")
    code = acts.add(store, AT_THE_COMMAND_LINE, number, NOON)
    with store.write() as conn:
        assert second_factor.show(conn, store.settings, number, code, NOON + DAY)[0].tried == "none"
        assert second_factor.show(conn, store.settings, number, "ABCD-EFGH", NOON)[0].tried == "wrong"
    setup(store, number, code)
    with store.write() as conn:
        assert second_factor.show(conn, store.settings, number, code, NOON)[0].tried == "none"
        assert second_factor.set_up(conn, store.settings, number, code, "000000", NOON).tried == "none"
        assert second_factor.set_up(conn, store.settings, number, "", "000000", NOON).tried == "none"


def test_only_the_command_line_renews_a_factor_and_the_old_one_ends_at_once(olga: Olga, slowtrain: Slowtrain) -> None:
    store, at = olga.store, olga.store.time()
    with store.write() as conn:
        session = accounts.hashed(accounts.open_session(conn, olga.id, at))
        session = accounts.hashed(accounts.renew_session(conn, session, at))
    said = slowtrain("operator", "second-factor", "olga@example.org").output
    code = said.partition("valid for a day: ")[2].split()[0]
    assert olga.prove(olga.code(at), at).tried == olga.prove(olga.recovery[0], at).tried == "none"
    with store.read() as conn, pytest.raises(NoSecondFactor):
        acts.demand(conn, Who(olga.id, session), at)
    assert "no second factor" in slowtrain("operator", "list").output
    again = setup(store, olga.id, code, at)
    assert again.secret != olga.secret
    assert "second factor" in slowtrain("operator", "list").output
    assert "operator: second_factor" not in slowtrain("operate", "entries").output
    assert "second_factor Olga" in slowtrain("operate", "entries").output
    somebody(store, "Ann")
    assert "not an operator" in slowtrain("operator", "second-factor", "ann@example.org").output


def test_a_former_operator_has_no_second_factor(olga: Olga, slowtrain: Slowtrain) -> None:
    slowtrain("operator", "remove", "olga@example.org")
    assert olga.prove(olga.code(LATER), LATER).tried == "none"


# ==== what is kept ================================================================================
def rows(store: Store) -> list[dict[str, Any]]:
    with store.read() as conn:
        tables = (second_factor.FACTORS, second_factor.RECOVERY)
        return [dict(row._mapping) for table in tables for row in conn.execute(select(table))]


def test_neither_the_database_nor_an_export_contains_the_secret_of_codes(olga: Olga) -> None:
    kept = repr(rows(olga.store))
    assert kept.count("code_hash") == RECOVERY_CODES
    with zipfile.ZipFile(io.BytesIO(personal.export(olga.store, olga.id, NOON))) as file:
        exported = file.read("person.json").decode()
    assert "second_factor" in exported, "it says that there is one"
    hashes = [it for row in rows(olga.store) for name, it in row.items() if name.endswith(("hash", "nonce")) and it]
    assert not [it for it in hashes if it in exported]
    for secret in (olga.secret, *olga.recovery, *(it.replace("-", "") for it in olga.recovery)):
        assert secret not in kept
        assert secret not in exported


def test_a_new_key_keeps_the_factor_and_a_removed_key_ends_it(olga: Olga) -> None:
    keys, settings = olga.store.settings.keys(), olga.store.settings
    olga.store.settings = settings.with_(secret_keys=("another long key for the tests of settings", *keys))
    assert olga.prove(olga.code(LATER), LATER).right
    olga.store.settings = settings.with_(secret_keys=("another long key for the tests of settings",))
    assert olga.prove(olga.code(LATER + STEP), LATER + STEP).tried == "lost"
    assert olga.prove(olga.recovery[0], LATER + STEP).right, "recovery codes follow from no key"


def test_an_erasure_deletes_the_second_factor(olga: Olga) -> None:
    personal.erase(olga.store, olga.id, LATER)
    assert rows(olga.store) == []


# ==== who may =====================================================================================
def test_an_operator_needs_the_factor_if_it_is_demanded_or_set_up(olga: Olga) -> None:
    store, ann = olga.store, somebody(olga.store, "Ann")
    with store.write() as conn:
        session = accounts.hashed(accounts.open_session(conn, olga.id, NOON))
    for strict in (True, False):
        with pytest.raises(NoSecondFactor):
            acts.block(store, Who(olga.id, session, strict=strict), ann, "why", NOON)
    with store.write() as conn:
        renewed = accounts.hashed(accounts.renew_session(conn, session, NOON))
    acts.block(store, Who(olga.id, renewed), ann, "why", NOON)
    with pytest.raises(acts.NotFresh):
        acts.unblock(store, Who(olga.id, session), ann, "why", NOON)
    with pytest.raises(acts.NotFresh):
        acts.unblock(store, Who(olga.id, renewed), ann, "why", NOON + 60 * MINUTE)


def test_an_operator_without_a_factor_may_act_if_none_is_demanded(store: Store) -> None:
    number, ann = somebody(store, "Olga"), somebody(store, "Ann")
    acts.add(store, AT_THE_COMMAND_LINE, number, NOON)
    with store.write() as conn:
        session = accounts.hashed(accounts.open_session(conn, number, NOON))
    with pytest.raises(NoSecondFactor):
        acts.block(store, Who(number, session), ann, "why", NOON)
    acts.block(store, Who(number, session, strict=False), ann, "why", NOON)
