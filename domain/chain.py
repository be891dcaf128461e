"""Plies as bytes that are stored, hashed and never encoded again; links, sealed parts, commitments.

The format, in full (all integers big end first, all hashes SHA-256):

- The *open part* of a ply is UTF-8 JSON of everything public. A *sealed part* is the same for one seat.
- ``part key   = HMAC(secret, "slow train 1 part" | lp(game id) | ply (8 bytes) | index of the part (4 bytes))``
- ``commitment = HMAC(part key, bytes of the part)``
- ``link(0)    = H("slow train 1 chain" | lp(game id))``
- ``link(n)    = H(link(n-1) | H(open part) | commitment 0 | commitment 1 | ...)``
- ``lp(x)``: x behind its length in four bytes.

With the keys of its own parts, a seat can prove what it was shown. Without a key nobody can test a guess.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, groupby
from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import Draw, length_prefixed
from domain.keyed import keyed_behind, keyed_once
from domain.messages import Codec, Command, Event, open_part, own_fields, owner_of

FINGERPRINT_LENGTH = 12
"""Hexadecimal digits of a link that stand in mails and on pages: 48 bits, enough to notice a changed log."""


if TYPE_CHECKING:  # without type parameters, a ply may hold commands and events of any title
    import typing_extensions

    C = typing_extensions.TypeVar("C", bound=Command | None, default=Any)
    E = typing_extensions.TypeVar("E", bound=Event, default=Any)
else:
    C = TypeVar("C", bound=Command | None)
    E = TypeVar("E", bound=Event)


class DrawName(msgspec.Struct, frozen=True, gc=False):
    """The fields of a draw that a fold reads."""

    name: str


class Ply(msgspec.Struct, Generic[C, E], frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One accepted command with the events it caused. An open part has this shape, without the sealed fields.

    ``at``: milliseconds since 1970-01-01T00:00:00Z. ``seat``: the seat that gave the command, or None for the table
    itself. ``cause``: the trigger: a player's own wish, a bot, the clock, or the service. ``rules``: the version of the
    title's rules that decided it.
    """

    number: int = msgspec.field(name="ply")
    rules: int
    at: int = 0
    seat: int | None = None
    cause: str = ""
    command: C = None  # type: ignore[assignment]  # hidden plies show none
    events: tuple[E, ...] = ()
    draws: tuple[Draw, ...] = ()

    @property
    def hidden(self) -> bool:
        """Is even the acting seat hidden from others? True when all events are hidden."""
        return bool(self.events) and all([event.HIDDEN for event in self.events])  # noqa: C419 (faster than a generator)

    @property
    def quiet(self) -> bool:
        """Does the ply leave everybody else's choices as they are?"""
        return _is_quiet(self.events)

    @property
    def barrier(self) -> bool:
        """Does this ply end all taking back, itself included? It does if it drew, or if it revealed something."""
        return bool(self.draws) or any(event.BARRIER for event in self.events)


class Effect(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """The part of a ply that a fold reads: its time, its seats, its events, and the names of its draws.

    A fold reads no command and no picks, and without them a long log is read faster.
    """

    number: int = msgspec.field(name="ply")
    at: int = 0
    seat: int | None = None
    events: tuple[E, ...] = ()
    draws: tuple[DrawName, ...] = ()

    @property
    def quiet(self) -> bool:
        """Does the ply leave everybody else's choices as they are?"""
        return _is_quiet(self.events)


class Given(msgspec.Struct, Generic[C], frozen=True, gc=False):
    """The command of a ply without its consequences: enough to decide it again."""

    number: int = msgspec.field(name="ply")
    rules: int
    at: int = 0
    seat: int | None = None
    cause: str = ""
    command: C = None  # type: ignore[assignment]  # hidden plies show none


def effect_of(ply: Ply | Effect) -> Effect:
    """Return the part of ``ply`` that a fold reads."""
    if isinstance(ply, Effect):
        return ply
    return Effect(ply.number, ply.at, ply.seat, ply.events, tuple([DrawName(draw.name) for draw in ply.draws]))


def _is_quiet(events: Sequence[Event]) -> bool:
    for event in events:
        if not (event.QUIET or event.HIDDEN):
            return False
    return bool(events)


CAUSES = ("player", "bot", "clock", "service")


class SealedPart(msgspec.Struct, frozen=True, gc=False):
    """Bytes that only ``seat`` may see. ``index`` is the place among the ply's sealed parts."""

    index: int
    seat: int
    body: bytes


class StoredPly(msgspec.Struct, frozen=True, gc=False):
    """A ply as it lies in the store: exactly these bytes are hashed."""

    number: int
    open: bytes
    sealed: tuple[SealedPart, ...]
    link: bytes

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.link)


class ChainCodec:
    """Encodes plies of one title to stored bytes, and decodes them."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        kinds: tuple[Any, ...] = (*codec.commands.values(), *codec.events.values(), *codec.upcasters)
        self._for_all = frozenset(kind for kind in kinds if not kind.HIDDEN and not own_fields(kind))
        self._blanks = {kind: dict.fromkeys(own_fields(kind), UNSET) for kind in kinds if not kind.HIDDEN}
        command: Any = codec.command_type
        event: Any = codec.event_type
        self._sealed_type: Any = msgspec.defstruct(
            "SealedBody",
            [
                ("seat", int),
                ("at", int, 0),
                ("cause", str, ""),
                ("command", command | None, None),
                ("events", tuple[tuple[int, event], ...], ()),
                ("draws", tuple[tuple[int, Draw], ...], ()),
            ],
            frozen=True,
            gc=False,
            omit_defaults=True,
            forbid_unknown_fields=True,
        )
        self._decode_open: Any = msgspec.json.Decoder(Ply[command | None, event]).decode
        self._decode_sealed: Any = msgspec.json.Decoder(self._sealed_type).decode
        self._decode_given: Any = msgspec.json.Decoder(Given[command | None]).decode
        self._decode_sealed_given: Any = msgspec.json.Decoder(_SealedGiven[command | None]).decode
        self._decode_effects: Any = msgspec.json.Decoder(list[Effect[event]]).decode
        self._decode_sealed_effects: Any = msgspec.json.Decoder(list[_SealedEffect[event]]).decode
        self._encode = msgspec.json.Encoder().encode

    def encode(self, ply: Ply) -> tuple[bytes, tuple[SealedPart, ...]]:
        """Return the open part of ``ply`` and its sealed parts by seat."""
        if self._is_for_all(ply):
            return self._encode(ply), ()
        blanks, shown = self._blanks, list[Event]()
        own_events: dict[int, list[tuple[int, Event]]] = {}
        for event in ply.events:
            if type(event) in self._for_all:
                shown.append(event)
            else:
                # count only the events that everybody sees, so that the place of this one does not reveal hidden events
                own_events.setdefault(event.seat, []).append((len(shown), event))
                if (blank := blanks.get(type(event))) is not None:
                    shown.append(replace(event, **blank))
        own_draws: dict[int, list[tuple[int, Draw]]] = {}
        for at, draw in enumerate(ply.draws):
            if draw.seat is not None:
                own_draws.setdefault(draw.seat, []).append((at, draw))
        hidden = bool(ply.events) and not shown
        command: Any = ply.command
        sealed_command = command is not None and type(command) not in self._for_all
        if hidden:
            body: Ply = Ply(ply.number, ply.rules)
        else:
            draws = ply.draws
            if own_draws:
                draws = tuple([draw if draw.seat is None else replace(draw, picks=UNSET) for draw in draws])
            command = open_part(command) if sealed_command else command
            body = Ply(ply.number, ply.rules, ply.at, ply.seat, ply.cause, command, tuple(shown), draws)
        return self._encode(body), self._sealed(ply, hidden, sealed_command, own_events, own_draws)

    def _is_for_all(self, ply: Ply) -> bool:
        """Does nothing in the ply belong to one seat only?"""
        for draw in ply.draws:
            if draw.seat is not None:
                return False
        return (ply.command is None or type(ply.command) in self._for_all) and self._for_all.issuperset(
            map(type, ply.events)
        )

    def _sealed(
        self,
        ply: Ply,
        hidden: bool,
        sealed_command: bool,
        own_events: Mapping[int, list[tuple[int, Event]]],
        own_draws: Mapping[int, list[tuple[int, Draw]]],
    ) -> tuple[SealedPart, ...]:
        seats = own_events.keys() | own_draws.keys()
        if sealed_command:
            seats.add(ply.seat)  # type: ignore[arg-type]  # the table itself keeps no secrets
        parts = []
        for index, seat in enumerate(sorted(seats)):
            body = self._sealed_type(
                seat,
                ply.at if hidden else 0,
                ply.cause if hidden else "",
                ply.command if seat == ply.seat and (sealed_command or hidden) else None,
                tuple(own_events.get(seat, ())),
                tuple(own_draws.get(seat, ())),
            )
            parts.append(SealedPart(index, seat, self._encode(body)))
        return tuple(parts)

    def decode(self, open: bytes, sealed: Sequence[SealedPart] = ()) -> Ply:
        """Return the ply behind these bytes: whole with all its sealed parts, else as far as the given ones show it.

        Raises ``msgspec.DecodeError`` or ``msgspec.ValidationError`` if the bytes are not a ply of this title.
        """
        ply: Ply = self._decode_open(open)
        if sealed:
            ply = _opened(ply, [self._decode_sealed(part.body) for part in sealed])
        if self._codec.upcasters:
            ply = replace(ply, events=tuple([self._codec.lift(event) for event in ply.events]))
        return ply

    def given(self, stored: StoredPly) -> Given:
        """Return the command of the ply behind ``stored``, which needs all its parts. Raises what `decode` raises."""
        given: Given = self._decode_given(stored.open)
        if not stored.sealed or type(given.command) in self._for_all:
            return given
        at, seat, cause, command = given.at, given.seat, given.cause, given.command
        for part in stored.sealed:
            own = self._decode_sealed_given(part.body)
            if own.command is not None:
                seat, command = own.seat, own.command
            if own.at:
                at, seat, cause = own.at, own.seat, own.cause
        return Given(given.number, given.rules, at, seat, cause, command)

    def effects(self, opens: Sequence[bytes], sealed: Sequence[tuple[int, Sequence[bytes]]]) -> list[Effect]:
        """Return the effects of whole plies: for a fold, and faster than `decode`.

        ``opens``: their open parts. ``sealed``: the index of a ply in ``opens`` and the bodies of its sealed parts.
        Raises what `decode` raises. (Each step is done for all plies before the next one, which costs a processor
        less.)
        """
        effects: list[Effect] = self._decode_effects(b"[%b]" % b",".join(opens))
        own = self._decode_sealed_effects(b"[%b]" % b",".join([body for _, bodies in sealed for body in bodies]))
        first = 0
        for place, bodies in sealed:
            last = first + len(bodies)
            effects[place] = _with_sealed(effects[place], own[first:last])
            first = last
        if self._codec.upcasters:
            lift = self._codec.lift
            return [replace(it, events=tuple([lift(event) for event in it.events])) for it in effects]
        return effects

    def store(self, ply: Ply, previous: bytes, game_id: str, secret: bytes) -> StoredPly:
        """Return ``ply`` as it is stored in the log after the link ``previous``."""
        body, sealed = self.encode(ply)
        commitments = [commitment(part_key(secret, game_id, ply.number, part.index), part.body) for part in sealed]
        return StoredPly(ply.number, body, sealed, link(previous, body, commitments))


def _opened(ply: Ply, bodies: Sequence[Any]) -> Ply:
    """Return ``ply`` with the contents of its sealed parts."""
    draws = list(ply.draws)
    for body in bodies:
        for index, draw in body.draws:
            draws[index] = draw
        if body.command is not None:
            ply = replace(ply, command=body.command, seat=body.seat)
        if body.at:
            ply = replace(ply, at=body.at, seat=body.seat, cause=body.cause)
    return replace(ply, events=_put_in(ply.events, bodies), draws=tuple(draws))


class _SealedGiven(msgspec.Struct, Generic[C], frozen=True, gc=False):
    """The command in a sealed part."""

    seat: int
    at: int = 0
    cause: str = ""
    command: C = None  # type: ignore[assignment]


class _SealedEffect(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """The fields of a sealed part that a fold reads."""

    seat: int
    at: int = 0
    events: tuple[tuple[int, E], ...] = ()


def _with_sealed(effect: Effect, bodies: Sequence[Any]) -> Effect:
    """Return ``effect`` with the contents of the ply's sealed parts."""
    at, seat = effect.at, effect.seat
    for body in bodies:
        if body.at:
            at, seat = body.at, body.seat
    return Effect(effect.number, at, seat, _put_in(effect.events, bodies), effect.draws)


def _put_in(events: Iterable[Event], bodies: Sequence[Any]) -> tuple[Event, ...]:
    """Insert the seats' own events at their places: hidden ones between the others, the rest in place of their open
    shapes.
    """
    put, inserted, own = list(events), 0, bodies[0].events
    if len(bodies) > 1:
        own = sorted(_all_of(body.events for body in bodies), key=_open_index)
    for index, event in own:
        if event.HIDDEN:
            put.insert(index + inserted, event)
            inserted += 1
        else:
            put[index + inserted] = event
    return tuple(put)


_all_of, _open_index = chain.from_iterable, itemgetter(0)


def canonical(events: Iterable[Any]) -> tuple[Any, ...]:
    """Return ``events`` with neighbouring hidden ones in the order of their seats, the only order that the format can
    keep.
    """
    events = tuple(events)
    if not any([event.HIDDEN for event in events]):  # noqa: C419
        return events
    ordered: list[Any] = []
    for hidden, group in groupby(events, key=lambda event: event.HIDDEN):
        run = list(group)
        ordered += sorted(run, key=lambda event: event.seat) if hidden else run
    return tuple(ordered)


def first_link(game_id: str) -> bytes:
    """Return the link before ply 1, which ties the chain to its game."""
    return hashlib.sha256(b"slow train 1 chain" + length_prefixed([game_id.encode()])).digest()


def link(previous: bytes, open: bytes, commitments: Iterable[bytes]) -> bytes:
    """Return the link of a ply (32 bytes)."""
    return hashlib.sha256(previous + hashlib.sha256(open).digest() + b"".join(commitments)).digest()


def part_key(secret: bytes, game_id: str, ply: int, index: int) -> bytes:
    """Return the key of one sealed part, which opens this part and reveals nothing about any other."""
    return _part_keys(secret, game_id)(_place(ply, index))


_place = Struct(">QI").pack


@lru_cache(maxsize=256)
def _part_keys(secret: bytes, game_id: str) -> Callable[[bytes], bytes]:
    return keyed_behind(secret, b"slow train 1 part" + length_prefixed([game_id.encode()]))


def commitment(key: bytes, body: bytes) -> bytes:
    """Return the commitment to a sealed part that the chain holds (32 bytes)."""
    return keyed_once(key, body)


def secret_commitment(secret: bytes) -> str:
    """Return the commitment to the game's secret that the first ply publishes (64 hexadecimal digits)."""
    return hashlib.sha256(secret).hexdigest()


def fingerprint(link: bytes) -> str:
    """Return the short form of a link that players find in their mails."""
    return link.hex()[:FINGERPRINT_LENGTH]


def message_owner(ply: Ply, message: Command | Event) -> int | None:
    """Return the seat that may see all of ``message``, which stands in ``ply``."""
    return ply.seat if isinstance(message, Command) else owner_of(message)
