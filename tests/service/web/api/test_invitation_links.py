"""Invitations: what they open, for whom, until when; and tokens that open nothing."""

import base64
import hmac
from typing import Any

import pytest
from sqlalchemy import select, update

from config.settings import Settings
from service.base import links
from service.base.clock import DAY, now
from service.database.store import GAMES
from service.notices.owing import OUTBOX
from service.people.accounts import hashed
from tests.service.web.api.test_account import kind
from tests.service.web.api.world import Asker, World
from workers import clocks

KEYS = ("a first key, for these tests and no others", "a second key, for these tests and no others")


def opened(host: Asker, seats: int = 2, **more: Any) -> tuple[str, str]:
    """Open a private table. Return its id and its invitation."""
    body = {"title": "toy", "seats": seats, "public": False, **more}
    answer = host.post("/games", body).json
    return answer["id"], answer["invite"]  # type: ignore[index]


def seen(who: Asker, game_id: str, invite: str = "") -> int:
    return who.get(f"/games/{game_id}", query_string={"invite": invite} if invite else None).status_code


def join(who: Asker, game_id: str, invite: str) -> int:
    return who.post(f"/games/{game_id}/join", {"invite": invite}).status_code


def kept(who: Asker, game_id: str, invite: str) -> str:
    """Return the guest pass of a visitor who came by an invitation."""
    return str(who.get(f"/games/{game_id}", query_string={"invite": invite}).json["guest_pass"])  # type: ignore[index]


def old_invitation(secret: bytes) -> str:
    """Return an invitation of release 0.1: it followed from the game's secret."""
    return base64.urlsafe_b64encode(hmac.digest(secret, b"slow train 1 invitation", "sha256"))[:24].decode()


def row(world: World, game_id: str) -> Any:
    with world.store.read() as conn:
        return world.store.load(conn, game_id).row


def secret_of(world: World, game_id: str) -> bytes:
    with world.store.read() as conn:
        return world.store.load(conn, game_id).secret


def with_keys(world: World, *keys: str) -> None:
    """Restart the site with these signing keys."""
    settings: Settings = world.settings.with_(secret_keys=keys)
    world.store.settings = settings
    world.settings = settings
    world.use(world.store)


@pytest.fixture
def world(world: World, settings: Settings) -> World:
    """Return a world of its own, as its settings are changed."""
    return World(world.app, world.store, settings)


# ==== the secret of a game ========================================================================
def test_a_published_secret_invites_nobody(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    game_id, invite = opened(harriet)
    join(alice, game_id, invite)
    join(bob, game_id, invite)
    harriet.post(f"/games/{game_id}/start")
    world.play_out(game_id, alice, bob)
    secret = bytes.fromhex(alice.get(f"/games/{game_id}/result").json["secret"])  # type: ignore[index]
    charlie = world.person("Charlie")
    assert seen(charlie, game_id, old_invitation(secret)) == 404
    assert world.anonymous().get(f"./join/{old_invitation(secret)}").status_code == 404


def test_the_secret_of_an_open_table_invites_nobody_either(world: World, harriet: Asker, charlie: Asker) -> None:
    game_id, invite = opened(harriet)
    stolen = old_invitation(secret_of(world, game_id))
    assert invite != stolen
    assert seen(charlie, game_id, stolen) == join(charlie, game_id, stolen) == 404


def test_a_cancelled_tables_invitation_opens_nothing(world: World, harriet: Asker, charlie: Asker) -> None:
    game_id, invite = opened(harriet)
    harriet.post(f"/games/{game_id}/cancel")
    assert seen(charlie, game_id, invite) == 404


def test_an_imported_game_has_no_invitation(world: World, harriet: Asker, charlie: Asker) -> None:
    """The file includes the secret, and a table without a host has nobody to invite."""
    from service.proof.bundle.keep import keep
    from tests.service.proof.bundle.bundles import finished

    keep(world.store, finished("toy", 3, "fromafar"), public=False)
    for token in (old_invitation(secret_of(world, "fromafar")), links.invitation(world.settings, "fromafar", 0)):
        assert seen(charlie, "fromafar", token) == 404
        assert world.anonymous().get(f"./join/{token}").status_code == 404
    assert row(world, "fromafar").invite_hash is None


# ==== what an invitation opens ====================================================================
def test_an_invitation_shows_the_table_and_seats(world: World, harriet: Asker, alice: Asker, bob: Asker) -> None:
    game_id, invite = opened(harriet)
    assert seen(alice, game_id) == 404
    assert seen(alice, game_id, invite) == 200
    assert world.anonymous().get(f"./join/{invite}").status_code == 303
    assert join(alice, game_id, invite) == 201
    assert join(bob, game_id, invite) == 201
    assert bob.post(f"/games/{game_id}/leave").status_code == 200
    assert join(bob, game_id, invite) == 201, "a seat that has become free again is taken by the same link"


def test_after_the_start_an_invitation_opens_nothing(
    world: World, harriet: Asker, alice: Asker, bob: Asker, charlie: Asker
) -> None:
    game_id, invite = opened(harriet)
    for who in (alice, bob):
        join(who, game_id, invite)
    assert seen(charlie, game_id, invite) == 200
    harriet.post(f"/games/{game_id}/start")
    assert seen(charlie, game_id, invite) == join(charlie, game_id, invite) == 404
    assert world.anonymous().get(f"./join/{invite}").status_code == 404
    assert kind(harriet.post(f"/games/{game_id}/invitations", {})) == "refused"
    assert seen(alice, game_id) == 200


def test_a_guest_from_before_the_start_may_go_on_watching(
    world: World, harriet: Asker, alice: Asker, bob: Asker, charlie: Asker
) -> None:
    game_id, invite = opened(harriet)
    for who in (alice, bob):
        join(who, game_id, invite)
    guest = kept(world.anonymous(), game_id, invite)
    harriet.post(f"/games/{game_id}/start")
    for who in (charlie, world.anonymous()):
        shown = who.get(f"/games/{game_id}", query_string={"invite": guest})
        assert shown.status_code == 200
        assert (shown.json["seat"], shown.json["hand"], shown.json["guest_pass"]) == (None, [], None)  # type: ignore[index]
        for path in ("log", "plies", "log.atom"):
            assert who.get(f"/games/{game_id}/{path}", query_string={"invite": guest}).status_code == 200
    assert join(charlie, game_id, guest) == 409, "the game has started"
    world.play_out(game_id, alice, bob)
    assert seen(charlie, game_id, guest) == 200


def test_a_guest_may_sit_down_too_until_the_start(world: World, harriet: Asker, charlie: Asker) -> None:
    game_id, invite = opened(harriet)
    assert join(charlie, game_id, kept(charlie, game_id, invite)) == 201


def test_callers_with_access_of_their_own_get_no_guest_pass(world: World, harriet: Asker, alice: Asker) -> None:
    game_id, _ = opened(harriet)
    assert harriet.get(f"/games/{game_id}").json["guest_pass"] is None  # type: ignore[index]
    public, _ = opened(harriet, public=True)
    assert alice.get(f"/games/{public}").json["guest_pass"] is None  # type: ignore[index]


def test_a_vacant_seat_is_open_by_invitation_until_it_is_taken(
    world: World, harriet: Asker, alice: Asker, bob: Asker, charlie: Asker
) -> None:
    game_id, invite = opened(harriet, pace={"turn": DAY, "excuse": False, "then": "substitute"})
    for who in (alice, bob):
        join(who, game_id, invite)
    harriet.post(f"/games/{game_id}/start")
    assert seen(charlie, game_id, invite) == 404
    clocks.call(world.store, now() + DAY)
    dora = world.person("Dora")
    shown = dora.get(f"/games/{game_id}", query_string={"invite": invite}).json
    vacant = shown["vacant"]  # type: ignore[index]
    assert (len(vacant), shown["guest_pass"]) == (1, None)  # type: ignore[index]  # with both away the game pauses
    assert charlie.post(f"/games/{game_id}/take-over", {"seat": vacant[0], "invite": invite}).status_code == 200
    assert seen(dora, game_id, invite) == seen(alice, game_id) == 404
    assert seen(charlie, game_id) == 200


# ==== renewing ====================================================================================
def renew(host: Asker, game_id: str) -> str:
    answer = host.post(f"/games/{game_id}/invitations/renew")
    assert answer.status_code == 200, answer.text
    assert answer.json["invite_link"].endswith(f"/join/{answer.json['invite']}")  # type: ignore[index]
    return str(answer.json["invite"])  # type: ignore[index]


def test_renewing_an_invitation_ends_the_earlier_one_and_its_passes(
    world: World, harriet: Asker, alice: Asker, charlie: Asker
) -> None:
    game_id, first = opened(harriet)
    guest = kept(charlie, game_id, first)
    assert join(alice, game_id, first) == 201
    second = renew(harriet, game_id)
    assert len({first, second, renew(harriet, game_id)}) == 3
    third = harriet.post(f"/games/{game_id}/invitations", {}).json["invite"]  # type: ignore[index]
    for dead in (first, second, guest):
        assert seen(charlie, game_id, dead) == join(charlie, game_id, dead) == 404
        assert world.anonymous().get(f"./join/{dead}").status_code == 404
    assert seen(alice, game_id) == 200, "who has a seat keeps it"
    assert join(charlie, game_id, third) == 201


def test_only_the_host_renews_and_only_while_it_opens_something(
    world: World, harriet: Asker, alice: Asker, bob: Asker
) -> None:
    game_id, invite = opened(harriet)
    for who in (alice, bob):
        join(who, game_id, invite)
        assert kind(who.post(f"/games/{game_id}/invitations/renew")) == "not_host"
    assert world.token("Harriet", "play", "read").post(f"/games/{game_id}/invitations/renew").status_code == 403
    harriet.post(f"/games/{game_id}/start")
    refused = harriet.post(f"/games/{game_id}/invitations/renew")
    assert (kind(refused), refused.json["rule"]) == ("refused", "ST 2")  # type: ignore[index]


def test_an_invited_person_can_be_invited_again_after_a_renewal(world: World, harriet: Asker) -> None:
    game_id, _ = opened(harriet)
    body = {"emails": ["dora@example.org"]}
    sent = [harriet.post(f"/games/{game_id}/invitations", body).json["sent"] for _ in range(2)]  # type: ignore[index]
    renew(harriet, game_id)
    sent += [harriet.post(f"/games/{game_id}/invitations", body).json["sent"] for _ in range(2)]  # type: ignore[index]
    assert sent == [1, 0, 1, 0]
    with world.store.read() as conn:
        owed = conn.execute(select(OUTBOX.c.payload).where(OUTBOX.c.kind == "invitation")).scalars().all()
    assert [set(it) for it in owed] == [{"by", "lang"}] * 2, "what opens the table is not kept"


# ==== forgeries ===================================================================================
def test_an_invitation_to_another_game_opens_nothing(world: World, harriet: Asker, charlie: Asker) -> None:
    game_id, invite = opened(harriet)
    other, others_invite = opened(harriet)
    elsewhere = world.settings.with_(secret_keys=("a key that this installation does not know",))
    body, _, signature = invite.rpartition(".")
    forged = {
        "of another game": others_invite,
        "of another installation": links.invitation(elsewhere, game_id, 0),
        "of tomorrow": links.invitation(world.settings, game_id, 1),
        "of yesterday": links.invitation(world.settings, game_id, -1),
        "another body": f"{others_invite.rpartition('.')[0]}.{signature}",
        "no signature": body,
        "an empty signature": f"{body}.",
        "a link of a turn": links.turn_address(world.settings, game_id, 1, 0, 1, now(), since=0).rpartition("/")[2],
        "a link that stops mail": links.unsubscribe_address(world.settings, 1, game_id, since=0).rpartition("/")[2],
        "upper case": invite.upper(),
        "longer": invite + "A",
        "the old kind": old_invitation(secret_of(world, game_id)),
        "nothing": "",
        "a dot": ".",
        "not ASCII": "ünïcode.☃",
        "compressed": ".eJyLVkpU0lEwBgADXAEM.x",
    }
    assert {how: seen(charlie, game_id, it) for how, it in forged.items()} == dict.fromkeys(forged, 404)
    assert {how: join(charlie, game_id, it) for how, it in forged.items()} == dict.fromkeys(forged, 404)
    assert seen(charlie, game_id, invite) == seen(charlie, other, others_invite) == 200


def test_a_guest_pass_is_not_accepted_as_an_invitation_nor_the_reverse(
    world: World, harriet: Asker, alice: Asker, charlie: Asker
) -> None:
    game_id, invite = opened(harriet)
    guest = kept(charlie, game_id, invite)
    assert world.anonymous().get(f"./join/{guest}").status_code == 404
    join(alice, game_id, invite)
    harriet.post(f"/games/{game_id}/bots")
    harriet.post(f"/games/{game_id}/start")
    assert (seen(charlie, game_id, invite), seen(charlie, game_id, guest)) == (404, 200)


# ==== keys ========================================================================================
def test_an_invitation_outlives_a_new_key_and_ends_with_its_own(world: World, harriet: Asker, charlie: Asker) -> None:
    with_keys(world, KEYS[0])
    game_id, invite = opened(harriet)
    with_keys(world, KEYS[1], KEYS[0])
    assert seen(charlie, game_id, invite) == 200
    renewed = harriet.post(f"/games/{game_id}/invitations", {}).json["invite"]  # type: ignore[index]
    assert renewed != invite, "the first key signs"
    with_keys(world, KEYS[1])
    assert (seen(charlie, game_id, invite), seen(charlie, game_id, renewed)) == (404, 200)


# ==== invitations before 0.2 ======================================================================
def as_before(world: World, game_id: str) -> str:
    """Make the table one of release 0.1. Return its invitation of that time."""
    token = old_invitation(secret_of(world, game_id))
    with world.store.write() as conn:
        conn.execute(update(GAMES).where(GAMES.c.id == game_id).values(invite_hash=hashed(token)))
    return token


def test_an_old_link_works_until_its_table_starts(
    world: World, harriet: Asker, alice: Asker, bob: Asker, charlie: Asker
) -> None:
    game_id, _ = opened(harriet)
    old = as_before(world, game_id)
    assert world.anonymous().get(f"./join/{old}").status_code == 303
    guest = kept(charlie, game_id, old)
    for who in (alice, bob):
        assert join(who, game_id, old) == 201
    harriet.post(f"/games/{game_id}/start")
    assert (seen(charlie, game_id, old), seen(charlie, game_id, guest)) == (404, 200)
    world.play_out(game_id, alice, bob)
    assert seen(charlie, game_id, old) == 404
    assert world.anonymous().get(f"./join/{old}").status_code == 404


def test_an_old_link_ends_when_it_is_renewed_or_the_table_closed(world: World, harriet: Asker, charlie: Asker) -> None:
    one, two = opened(harriet)[0], opened(harriet)[0]
    tokens = {game_id: as_before(world, game_id) for game_id in (one, two)}
    assert [seen(charlie, game_id, token) for game_id, token in tokens.items()] == [200, 200]
    renew(harriet, one)
    harriet.post(f"/games/{two}/cancel")
    assert [seen(charlie, game_id, token) for game_id, token in tokens.items()] == [404, 404]
