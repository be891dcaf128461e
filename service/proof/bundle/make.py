"""A game of the store as a bundle: one reader's view of it while it runs, and everything after its end."""

from collections.abc import Sequence

from domain.chain import SealedPart, StoredPly, commitment, part_key
from domain.lifecycle import ENDED
from service.database.store import Stored
from service.proof.bundle.format import FORMAT, VERSION, Bundle, Eyes, Header, Part, PlyLine


def bundle(stored: Stored, plies: Sequence[StoredPly], seat: int | None) -> Bundle:
    """Make the bundle of a game for ``seat`` (None: a spectator). ``plies``: all plies of the game."""
    game = stored.game
    assert game.table is not None, "a stored game has its first ply"
    ended = game.status in ENDED
    reader: Eyes = "everything" if ended else seat or "onlooker"
    header = Header(
        FORMAT,
        VERSION,
        game.id,
        game.title.id,
        game.table.seats,
        max(game.title.chain.decode(it.open).rules for it in plies),
        reader,
        game.status,
        game.table.commitment,
        len(plies),
        plies[-1].link.hex(),
    )
    lines = tuple(_line(it, game.id, stored.secret, reader) for it in plies)
    return Bundle(header, lines, stored.secret.hex() if ended else None)


def _line(ply: StoredPly, game_id: str, secret: bytes, reader: Eyes) -> PlyLine:
    parts = tuple(_part(it, part_key(secret, game_id, ply.number, it.index), reader) for it in ply.sealed)
    return PlyLine(ply.number, ply.open.decode(), parts, ply.link.hex())


def _part(part: SealedPart, key: bytes, reader: Eyes) -> Part:
    promised = commitment(key, part.body).hex()
    if reader in ("everything", part.seat):
        return Part(promised, part.seat, part.body.decode(), key.hex())
    return Part(promised)
