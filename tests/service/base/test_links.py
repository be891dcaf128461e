"""Signed links open their own target until their expiry, and nothing else."""

import pytest
from freezegun import freeze_time

from config.settings import Settings
from service.base import clock, links
from service.base.links import BadLink, ExpiredLink, TurnLink

AT = 1_800_000_000_000


@pytest.fixture
def settings() -> Settings:
    return Settings(_env_file=None, secret_keys=("new key", "old key"))


def token(address: str) -> str:
    return address.rsplit("/", 1)[1]


def test_a_turn_link_opens_one_seat_for_thirty_days(settings: Settings) -> None:
    with freeze_time("2027-01-15T08:00:00Z") as now:
        at = clock.now()
        there = token(links.turn_address(settings, "g1", 2, 41, 7, at, since=0))
        assert links.open_turn(settings, there, at) == TurnLink("g1", 2, 41, 7, at + links.TURN_LINK_LASTS)
        now.move_to("2027-02-14T07:59:59.999Z")
        assert links.open_turn(settings, there, clock.now()).seat == 2
        now.tick(0.001)
        with pytest.raises(ExpiredLink):
            links.open_turn(settings, there, clock.now())


def test_a_link_opens_nothing_else(settings: Settings) -> None:
    turn = token(links.turn_address(settings, "g1", 2, 41, 7, AT, since=0))
    stop = token(links.unsubscribe_address(settings, 7, "g1", since=0))
    with pytest.raises(BadLink):
        links.open_unsubscribe(settings, turn)
    with pytest.raises(BadLink):
        links.open_turn(settings, stop, AT)


@pytest.mark.parametrize(
    "spoil", [lambda t: t[:-1], lambda t: "x" + t, lambda t: "", lambda t: t.replace(".", ""), lambda t: "ünïcode.☃"]
)
def test_a_changed_token_opens_nothing(settings: Settings, spoil: object) -> None:
    assert callable(spoil)
    for address, opens in (
        (links.turn_address(settings, "g1", 2, 41, 7, AT, since=0), lambda t: links.open_turn(settings, t, AT)),
        (links.unsubscribe_address(settings, 7, since=0), lambda t: links.open_unsubscribe(settings, t)),
    ):
        with pytest.raises(BadLink):
            opens(spoil(token(address)))


def test_a_new_key_signs_and_an_old_one_still_opens(settings: Settings) -> None:
    before = settings.with_(secret_keys=("old key",))
    after = settings.with_(secret_keys=("new key",))
    old, new = (token(links.turn_address(each, "g1", 2, 41, 7, AT, since=0)) for each in (before, settings))
    assert links.open_turn(settings, old, AT) == links.open_turn(settings, new, AT)
    assert links.open_turn(after, new, AT)
    with pytest.raises(BadLink):
        links.open_turn(after, old, AT)


def test_a_link_without_the_age_of_the_address_belongs_to_the_first_address(settings: Settings) -> None:
    signed = links._serializer(settings, "turn").dumps(("g1", 2, 41, 7, AT + 1))
    assert links.open_turn(settings, signed, AT) == TurnLink("g1", 2, 41, 7, AT + 1, since=0)
    stop = links._serializer(settings, "unsubscribe").dumps((7, "g1"))
    assert links.open_unsubscribe(settings, stop) == links.UnsubscribeLink(7, "g1", since=0)


def test_pseudonyms_are_stable_and_reveal_nothing(settings: Settings) -> None:
    assert links.pseudonym(settings, "person", 7) == links.pseudonym(settings, "person", 7)
    assert links.pseudonym(settings, "person", 7) != links.pseudonym(settings, "person", 8)
    assert links.pseudonym(settings, "person", 7) != links.pseudonym(settings.with_(secret_keys=("k",)), "person", 7)
