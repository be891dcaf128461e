"""When a turn must be taken: the one place where the channels ask for it."""

from domain.game import Game


def deadline(game: Game, seat: int | None) -> int | None:
    """Until when ``seat`` must move, in milliseconds since 1970; None where it is not asked or nothing presses."""
    if game.table is None or seat is None or seat not in game.asked:
        return None
    if game.status == "open":
        return game.table.sealed.due if game.table.sealed else None
    return game.table.clocks.get(seat)
