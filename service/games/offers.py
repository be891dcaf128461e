"""The offer of a table to people who look for a seat: its language, its pace at a glance, and the demands of its host.

An offer stands beside the log, as names do. Rights ask the demands before anybody sits down (`service.games.rights`);
invited people need not meet them.
"""

from collections.abc import Collection
from typing import Annotated

import msgspec
from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from domain.pace import Pace
from domain.refusal import Refused
from service.base.described import doc
from service.database.compiled import upsert
from service.database.store import GAMES, Store
from service.database.tables import OfferRow, table_of
from service.people.standing import SETTLED, standing
from service.words import languages

OFFERS = table_of(OfferRow)
LOWEST, HIGHEST = 0, 60
"""The bounds of a rating that a host can ask for."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """The offer of a table."""

    lang: Annotated[str, doc("Language of the table, as its host chose it; empty for any.")] = ""
    rating_low: Annotated[int | None, doc("The lowest rating that is admitted.")] = None
    rating_high: Annotated[int | None, doc("The highest rating that is admitted.")] = None
    finished: Annotated[int, doc("The lowest share of finished games that is admitted, in percent.")] = 0
    newcomers: Annotated[bool, doc("Are people admitted who have too few games for these numbers?")] = True


ANYBODY = Offer()


def must_be_possible(offer: Offer) -> None:
    """Check the demands of a host (ST 1)."""
    ends = [it for it in (offer.rating_low, offer.rating_high) if it is not None]
    if not all(LOWEST <= it <= HIGHEST for it in ends) or ends != sorted(ends):
        raise Refused(
            "ST 1", "A range of ratings must lie between {low} and {high}, the lower end first.",
            low=str(LOWEST), high=str(HIGHEST),
        )  # fmt: skip
    if not 0 <= offer.finished <= 100:
        raise Refused("ST 1", "The share of finished games must be between 0 and 100 percent.")
    if offer.lang and offer.lang not in languages():
        raise Refused("ST 1", "This site does not speak the language that you chose.")


# ==== kept ========================================================================================
def keep(conn: Connection, game_id: str, offer: Offer, pace: Pace | None) -> None:
    conn.execute(insert(OFFERS), {"game_id": game_id, "turn": _turn(pace), **msgspec.structs.asdict(offer)})


def change(conn: Connection, game_id: str, offer: Offer, pace: Pace | None) -> None:
    """Keep another offer of a table."""
    _CHANGE[conn.dialect.name].run(conn, game_id=game_id, turn=_turn(pace), **msgspec.structs.asdict(offer))


_CHANGE = upsert(OFFERS, ("game_id",), lambda new: {name: new[name] for name in Offer.__struct_fields__})


def repace(conn: Connection, game_id: str, pace: Pace | None) -> None:
    """Keep another pace of a table."""
    conn.execute(update(OFFERS).where(OFFERS.c.game_id == game_id).values(turn=_turn(pace)))


def _turn(pace: Pace | None) -> int:
    return 0 if pace is None else pace.turn


class KeptOffer(msgspec.Struct, frozen=True):
    """An offer as it is kept. ``turn``: the milliseconds of a turn, 0 without a clock; None if not known."""

    offer: Offer
    turn: int | None


UNKNOWN = KeptOffer(ANYBODY, None)
"""For a table from before there were offers: it admits anybody. `keep_missing` soon keeps its pace."""
BATCH = 100


def kept(conn: Connection, games: Collection[str]) -> dict[str, KeptOffer]:
    """Return game -> its offer, if it has one."""
    rows = conn.execute(select(OFFERS).where(OFFERS.c.game_id.in_(games)))
    return {it.game_id: _kept(it._asdict()) for it in rows}


def _kept(row: dict[str, object]) -> KeptOffer:
    fields = {name: row[name] for name in Offer.__struct_fields__}
    return KeptOffer(msgspec.convert(fields, Offer), msgspec.convert(row["turn"], int | None))


def of(conn: Connection, game_id: str) -> Offer:
    return kept(conn, [game_id]).get(game_id, UNKNOWN).offer


def keep_missing(store: Store) -> int:
    """Keep the offers of open tables without one: a release without offers has opened them. Return their number."""
    known = select(OFFERS.c.game_id)
    without = select(GAMES.c.id).where(GAMES.c.status == "open", GAMES.c.id.not_in(known)).limit(BATCH)
    with store.read() as conn:
        games = [store.load(conn, it).game for it in conn.scalars(without).all()]
    for game in games:
        try:
            with store.write() as conn:
                keep(conn, game.id, ANYBODY, game.table.pace if game.table else None)
        except IntegrityError:
            continue  # another worker was faster
    return len(games)


# ==== the demands =================================================================================
def unmet(conn: Connection, game_id: str, title: str, person_id: int) -> Refused | None:
    """Return the refusal for a person who does not meet a table's demands. It names the demand and their number."""
    offer = of(conn, game_id)
    if offer.rating_low is offer.rating_high is None and not offer.finished:
        return None
    theirs = standing(conn, person_id, title)
    if (offer.rating_low, offer.rating_high) != (None, None) and (why := _rating(offer, theirs.rated, theirs.rating)):
        return why
    return _share(offer, theirs.games, theirs.share) if offer.finished else None


def _rating(offer: Offer, games: int, rating: int) -> Refused | None:
    low, high = offer.rating_low, offer.rating_high
    if games < SETTLED:
        if offer.newcomers:
            return None
        return Refused(
            "ST 2", "This table asks for at least {games} rated games of its title; you have {yours}.",
            games=str(SETTLED), yours=str(games),
        )  # fmt: skip
    if low is not None and rating < low:
        return Refused(
            "ST 2", "This table asks for a rating of at least {low}; yours is {rating}.",
            low=str(low), rating=str(rating),
        )  # fmt: skip
    if high is not None and rating > high:
        return Refused(
            "ST 2", "This table asks for a rating of at most {high}; yours is {rating}.",
            high=str(high), rating=str(rating),
        )  # fmt: skip
    return None


def _share(offer: Offer, games: int, share: int) -> Refused | None:
    if games < SETTLED:
        if offer.newcomers:
            return None
        return Refused(
            "ST 2", "This table asks for at least {games} games in your record; you have {yours}.",
            games=str(SETTLED), yours=str(games),
        )  # fmt: skip
    if share < offer.finished:
        return Refused(
            "ST 2", "This table asks for {share} percent of games played to the end; you have played {yours} percent.",
            share=str(offer.finished), yours=str(share),
        )  # fmt: skip
    return None
