"""Signed addresses: turn links, one-tap links, unsubscribe links and invitations. The module does not know the web.

A token says what it opens and opens nothing else: each purpose has its own salt. A GET changes nothing; only a POST
from the page behind the link acts.
"""

import base64
import hashlib
import hmac
from functools import cache
from typing import TypeVar

import msgspec
from itsdangerous import BadData, URLSafeSerializer

from config.settings import Settings

L = TypeVar("L", bound=msgspec.Struct)
T = TypeVar("T", bound="TurnLink | OneTapLink")

DAY = 24 * 60 * 60 * 1000
TURN_LINK_LASTS = 30 * DAY
"""Milliseconds for which a turn link opens the table, and a one-tap link its page."""

LIVE_LASTS = 30 * 60 * 1000
"""Milliseconds for which a token opens a stream. Somebody who is shut out or uninvited hears nothing longer."""


class BadLink(Exception):
    """A token that was not made here, or not for this purpose."""


class ExpiredLink(BadLink):
    """A token of ours that has expired."""


class TurnLink(msgspec.Struct, frozen=True):
    """The content of a turn link: one seat of one game for one person, at ``version``.

    Its bearer may see the seat's view and move for the seat, but reaches nothing else of the person's. ``since``: when
    the person got the address of the letter (0: with the account). After a change of address the link opens nothing.
    """

    game_id: str
    seat: int
    version: int
    person_id: int
    expires_at: int
    since: int = 0  # missing in links made before this field


class OneTapLink(TurnLink, frozen=True):
    """The content of a one-tap link: it offers ``command``, here as JSON, at exactly this version.

    Its bearer may preview the command, execute it, and see later events, and nothing else.
    """

    command: str = ""


class DraftLink(msgspec.Struct, frozen=True):
    """A mail, by its ``content``, whose author must be confirmed by a person, or (None) by an invited address.

    ``since``: as in `TurnLink`.
    """

    content: str
    person_id: int | None
    expires_at: int
    since: int = 0


class UnsubscribeLink(msgspec.Struct, frozen=True):
    """The person whose mail the link stops, and the game of the letter with the link ("": all games).

    ``since``: as in `TurnLink`.
    """

    person_id: int
    game_id: str
    since: int = 0


class NeverLink(msgspec.Struct, frozen=True):
    """A mailbox that refuses invitations, by its hash (`strangers.hash_of`)."""

    mailbox_hash: str


class LiveToken(msgspec.Struct, frozen=True):
    """The right to hear ticks of one topic: a person's games, or one game that is watched (`topic_of_person`, …)."""

    topic: str
    expires_at: int


class Invitation(msgspec.Struct, frozen=True):
    """The right of a stranger to see a game and to sit down. ``number``: how often the host had renewed it."""

    game_id: str
    number: int


def turn_address(
    settings: Settings, game_id: str, seat: int, version: int, person_id: int, at: int, *, since: int
) -> str:
    """Return the address for a turn mail: ``/turn/<token>``."""
    link = TurnLink(game_id, seat, version, person_id, at + TURN_LINK_LASTS, since)
    return f"{settings.site}/turn/{_sign(settings, 'turn', link)}"


def open_turn(settings: Settings, token: str, at: int) -> TurnLink:
    """Return the content of a turn link. Raise `BadLink` or `ExpiredLink`."""
    return _in_time(_open(settings, "turn", token, TurnLink), at)


def one_tap(
    settings: Settings,
    game_id: str,
    seat: int,
    version: int,
    person_id: int,
    at: int,
    *,
    since: int,
    command: msgspec.Struct,
) -> str:
    """Return the address of a page that offers one command: ``/do/<token>``. A GET shows it, a POST executes it."""
    offered = msgspec.json.encode(command).decode()
    link = OneTapLink(game_id, seat, version, person_id, at + TURN_LINK_LASTS, since, offered)
    return f"{settings.site}/do/{_sign(settings, 'one tap', link)}"


def open_one_tap(settings: Settings, token: str, at: int) -> OneTapLink:
    """Return the content of a one-tap link. Raise `BadLink` or `ExpiredLink`."""
    return _in_time(_open(settings, "one tap", token, OneTapLink), at)


def _in_time(link: T, at: int) -> T:
    if at >= link.expires_at:
        raise ExpiredLink
    return link


def draft_address(settings: Settings, link: DraftLink) -> str:
    """Return the address of the page that asks for a mail's author: ``/confirm/<token>``. A POST confirms."""
    return f"{settings.site}/confirm/{_sign(settings, 'draft', link)}"


def open_draft(settings: Settings, token: str, at: int) -> DraftLink:
    """Return the mail of a confirmation link. Raise `BadLink` or `ExpiredLink`."""
    link = _open(settings, "draft", token, DraftLink)
    if at >= link.expires_at:
        raise ExpiredLink
    return link


def unsubscribe_address(settings: Settings, person_id: int, game_id: str = "", *, since: int) -> str:
    """Return the address that stops mail of a game, or all: ``/unsubscribe/<token>``.

    A GET asks, a POST acts (RFC 8058).
    """
    return f"{settings.site}/unsubscribe/{_sign(settings, 'unsubscribe', UnsubscribeLink(person_id, game_id, since))}"


def open_unsubscribe(settings: Settings, token: str) -> UnsubscribeLink:
    """Return the content of an unsubscribe link. It never expires: old mails must be able to stop new ones.

    Raise `BadLink`.
    """
    return _open(settings, "unsubscribe", token, UnsubscribeLink)


def never_address(settings: Settings, mailbox_hash: str) -> str:
    """Return the address that stops invitations to a mailbox: ``/never/<token>``. Only a POST acts (RFC 8058)."""
    return f"{settings.site}/never/{_sign(settings, 'never', NeverLink(mailbox_hash))}"


def open_never(settings: Settings, token: str) -> NeverLink:
    """Return the mailbox of this token. It never expires. Raise `BadLink`."""
    return _open(settings, "never", token, NeverLink)


def invitation(settings: Settings, game_id: str, number: int) -> str:
    """Return the token for invited people. It depends only on its arguments, so it can be made again."""
    return _sign(settings, "invitation", Invitation(game_id, number))


def open_invitation(settings: Settings, token: str) -> Invitation:
    """Return the invitation of a token; `queries` knows whether it is still valid. Raise `BadLink`."""
    link: Invitation = _open(settings, "invitation", token, Invitation)
    return link


def guest_pass(settings: Settings, game_id: str, number: int) -> str:
    """Return the token for a guest who came by an invitation before the start. With it they may watch after it, too."""
    return _sign(settings, "guest", Invitation(game_id, number))


def open_guest_pass(settings: Settings, token: str) -> Invitation:
    """Return the invitation behind this guest pass. Raise `BadLink`."""
    link: Invitation = _open(settings, "guest", token, Invitation)
    return link


def live(settings: Settings, topic: str, at: int) -> str:
    """Return the token by which a stream hears ``topic``, for `LIVE_LASTS`."""
    return _sign(settings, "live", LiveToken(topic, at + LIVE_LASTS))


def open_live(settings: Settings, token: str, at: int) -> LiveToken:
    """Return the content of a stream's token. Raise `BadLink` or `ExpiredLink`."""
    opened: LiveToken = _open(settings, "live", token, LiveToken)
    if opened.expires_at <= at:
        raise ExpiredLink
    return opened


def topic_of_person(person_id: int) -> str:
    """Return the topic of all games in which a person has a seat."""
    return f"p{person_id}"


def topic_of_game(game_id: str) -> str:
    """Return the topic of a game for everybody without a seat."""
    return f"g{game_id}"


def is_person(topic: str) -> bool:
    """Is it the topic of a person?"""
    return topic.startswith("p")


def pseudonym(settings: Settings, *parts: object) -> str:
    """Return a pseudonym for a person or an address, for Message-IDs. Only we can compute it."""
    said = "|".join(map(str, parts)).encode()
    return hmac.new(settings.keys()[0].encode(), b"slow train message id|" + said, hashlib.sha256).hexdigest()[:16]


def mailbox_key(settings: Settings) -> str:
    """Return the key that opens the mailbox of this machine if the site is reached from elsewhere, too."""
    drawn = hmac.digest(settings.keys()[0].encode(), b"slow train mailbox", "sha256")
    return base64.urlsafe_b64encode(drawn[:16]).decode().rstrip("=")


def opens_mailbox(settings: Settings, given: str) -> bool:
    """Is this the `mailbox_key`?"""
    return hmac.compare_digest(mailbox_key(settings).encode(), given.encode())


def _serializer(settings: Settings, purpose: str) -> URLSafeSerializer:
    return _serializer_of(settings.keys(), purpose)


@cache
def _serializer_of(keys: tuple[str, ...], purpose: str) -> URLSafeSerializer:
    # The library signs with the last key of the list; we sign with the first.
    return URLSafeSerializer(
        list(reversed(keys)), salt=f"slow train {purpose}", signer_kwargs={"digest_method": hashlib.sha256}
    )


def _sign(settings: Settings, purpose: str, link: msgspec.Struct) -> str:
    return str(_serializer(settings, purpose).dumps(msgspec.structs.astuple(link)))


def _open(settings: Settings, purpose: str, token: str, kind: type[L]) -> L:
    try:
        return kind(*_serializer(settings, purpose).loads(token))
    except (BadData, TypeError, ValueError) as error:
        raise BadLink from error


# ==== plain addresses =============================================================================
def talk_address(settings: Settings, game_id: str, room: str) -> str:
    """Return the address of a room of talk at a game's table."""
    return f"{settings.site}/games/{game_id}/talk/{room}"


def game_address(settings: Settings, game_id: str) -> str:
    """Return the address of a game's table."""
    return f"{settings.site}/games/{game_id}"


def games_address(settings: Settings) -> str:
    """Return the address of a person's list of games."""
    return f"{settings.site}/games"


def find_address(settings: Settings) -> str:
    """Return the address of a person's wishes for a game."""
    return f"{settings.site}/games/find"


def rules_address(settings: Settings, title_id: str) -> str:
    """Return the address of a title's rules and its notes on reconstructed material."""
    return f"{settings.site}/rules/{title_id}"


def review_address(settings: Settings, game_id: str) -> str:
    """Return the address of a finished game's story and plots."""
    return f"{settings.site}/games/{game_id}/review"


def audit_address(settings: Settings, game_id: str) -> str:
    """Return the address of a game's proof."""
    return f"{settings.site}/games/{game_id}/audit"


def join_address(settings: Settings, invite_token: str) -> str:
    """Return the address for an invitation: ``/join/<token>`` shows the table to the bearer."""
    return f"{settings.site}/join/{invite_token}"
