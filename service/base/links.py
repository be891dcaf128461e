"""Signed addresses: the link of a turn, those that do one thing in it, the one that stops mail, and invitations.
Nothing here knows of the web.

A token says for itself what it opens and is worth nothing for anything else: each purpose has its own salt. Opening
one by GET changes nothing; only a POST from the page behind it does.
"""

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
"""Milliseconds for which the link of a turn opens the table, and a one-tap link its page."""


class BadLink(Exception):
    """The token was not made here, or not for this purpose."""


class ExpiredLink(BadLink):
    """The token was ours once; its time is over."""


class TurnLink(msgspec.Struct, frozen=True):
    """What the link in a turn mail opens: one seat of one game for one person, as it stood at ``version``.

    It lets its bearer see what the seat may see and move for that seat, nothing else of the person's. ``since``: since
    when they have had the address it was sent to (0: since there is an account); after a change it opens nothing.
    """

    game_id: str
    seat: int
    version: int
    person_id: int
    expires_at: int
    since: int = 0  # links from before this was kept do not say


class OneTapLink(TurnLink, frozen=True):
    """What one tap in a mail offers: to do ``command``, here as JSON, at that very version.

    Its bearer may see what it would do, do it, and see what has happened since, and nothing else.
    """

    command: str = ""


class DraftLink(msgspec.Struct, frozen=True):
    """The mail whose writer is to be confirmed, by its ``content``; for whom, None for who was invited.

    ``since``: as in `TurnLink`.
    """

    content: str
    person_id: int | None
    expires_at: int
    since: int = 0


class UnsubscribeLink(msgspec.Struct, frozen=True):
    """Whose mail the link stops, and of which game: the one whose mail it stood in ("": of all).

    ``since``: as in `TurnLink`.
    """

    person_id: int
    game_id: str
    since: int = 0


class NeverLink(msgspec.Struct, frozen=True):
    """The mailbox that wants no invitations, by its hash (`strangers.hash_of`)."""

    mailbox_hash: str


class Invitation(msgspec.Struct, frozen=True):
    """What lets a stranger to a game see it, and sit down. ``number``: how often its host had renewed it by then."""

    game_id: str
    number: int


def turn_address(
    settings: Settings, game_id: str, seat: int, version: int, person_id: int, at: int, *, since: int
) -> str:
    """The address that stands in a turn mail: ``/turn/<token>``."""
    link = TurnLink(game_id, seat, version, person_id, at + TURN_LINK_LASTS, since)
    return f"{settings.site}/turn/{_sign(settings, 'turn', link)}"


def open_turn(settings: Settings, token: str, at: int) -> TurnLink:
    """What the token of a turn mail opens at this time. Raises `BadLink` or `ExpiredLink`."""
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
    """The address of the page that offers to do one thing: ``/do/<token>``. A GET shows it, a POST does it."""
    offered = msgspec.json.encode(command).decode()
    link = OneTapLink(game_id, seat, version, person_id, at + TURN_LINK_LASTS, since, offered)
    return f"{settings.site}/do/{_sign(settings, 'one tap', link)}"


def open_one_tap(settings: Settings, token: str, at: int) -> OneTapLink:
    """What the token of a one-tap link offers at this time. Raises `BadLink` or `ExpiredLink`."""
    return _in_time(_open(settings, "one tap", token, OneTapLink), at)


def _in_time(link: T, at: int) -> T:
    if at >= link.expires_at:
        raise ExpiredLink
    return link


def draft_address(settings: Settings, link: DraftLink) -> str:
    """The address of the page that asks whether one wrote a mail: ``/confirm/<token>``. A GET asks, a POST says so."""
    return f"{settings.site}/confirm/{_sign(settings, 'draft', link)}"


def open_draft(settings: Settings, token: str, at: int) -> DraftLink:
    """Which mail the token is about, at this time. Raises `BadLink` or `ExpiredLink`."""
    link = _open(settings, "draft", token, DraftLink)
    if at >= link.expires_at:
        raise ExpiredLink
    return link


def unsubscribe_address(settings: Settings, person_id: int, game_id: str = "", *, since: int) -> str:
    """The address that stops mail of a game, or all: ``/unsubscribe/<token>``. A GET asks, a POST acts (RFC 8058)."""
    return f"{settings.site}/unsubscribe/{_sign(settings, 'unsubscribe', UnsubscribeLink(person_id, game_id, since))}"


def open_unsubscribe(settings: Settings, token: str) -> UnsubscribeLink:
    """Whose mail this token stops. It never expires: old mails must be able to stop new ones. Raises `BadLink`."""
    return _open(settings, "unsubscribe", token, UnsubscribeLink)


def never_address(settings: Settings, mailbox_hash: str) -> str:
    """The address that stops all invitations to a mailbox: ``/never/<token>``. A GET asks, a POST acts (RFC 8058)."""
    return f"{settings.site}/never/{_sign(settings, 'never', NeverLink(mailbox_hash))}"


def open_never(settings: Settings, token: str) -> NeverLink:
    """Which mailbox this token is of. It never expires. Raises `BadLink`."""
    return _open(settings, "never", token, NeverLink)


def invitation(settings: Settings, game_id: str, number: int) -> str:
    """The token that is handed to who is invited. It says nothing new about a game, so it can be made again."""
    return _sign(settings, "invitation", Invitation(game_id, number))


def open_invitation(settings: Settings, token: str) -> Invitation:
    """What the token invites to, if it is still that (`queries` knows). Raises `BadLink`."""
    link: Invitation = _open(settings, "invitation", token, Invitation)
    return link


def guest_pass(settings: Settings, game_id: str, number: int) -> str:
    """The token that is given to who has come by an invitation before the start: with it they watch after it, too."""
    return _sign(settings, "guest", Invitation(game_id, number))


def open_guest_pass(settings: Settings, token: str) -> Invitation:
    """By which invitation who has this token came. Raises `BadLink`."""
    link: Invitation = _open(settings, "guest", token, Invitation)
    return link


def pseudonym(settings: Settings, *parts: object) -> str:
    """A name for a person or an address that says nothing to anybody else; it stands in Message-IDs."""
    said = "|".join(map(str, parts)).encode()
    return hmac.new(settings.keys()[0].encode(), b"slow train message id|" + said, hashlib.sha256).hexdigest()[:16]


def _serializer(settings: Settings, purpose: str) -> URLSafeSerializer:
    return _serializer_of(settings.keys(), purpose)


@cache
def _serializer_of(keys: tuple[str, ...], purpose: str) -> URLSafeSerializer:
    # The library signs with the last key of the list; ours signs with the first.
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
def game_address(settings: Settings, game_id: str) -> str:
    """Where a game's table is."""
    return f"{settings.site}/games/{game_id}"


def games_address(settings: Settings) -> str:
    """Where a person's own games are listed."""
    return f"{settings.site}/games"


def rules_address(settings: Settings, title_id: str) -> str:
    """Where a title's rules are, and what of it is reconstructed."""
    return f"{settings.site}/rules/{title_id}"


def audit_address(settings: Settings, game_id: str) -> str:
    """Where a game is proved."""
    return f"{settings.site}/games/{game_id}/audit"


def join_address(settings: Settings, invite_token: str) -> str:
    """The address that stands in an invitation: ``/join/<token>`` shows the table to who holds the token."""
    return f"{settings.site}/join/{invite_token}"
