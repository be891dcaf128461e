"""The deadline of a turn, for all channels."""

from domain.game import Game


def deadline(game: Game, seat: int | None) -> int | None:
    """The time by which ``seat`` must move, in milliseconds since 1970; None if it is not asked or has no clock."""
    if game.table is None or seat is None or seat not in game.asked:
        return None
    if game.status == "open":
        return game.table.sealed.due if game.table.sealed else None
    return game.table.clocks.get(seat)
