"""``python -m tests.example``: writes a title's example anew, as a game between sensible bots.

The texts that show its positions (`how_to_play.md`) tell what is on the board, so read them again afterwards.
"""

import random

import click
import msgspec

from domain import TITLES, example
from domain.play import decide_all


@click.command()
@click.option("--title", type=click.Choice(list(TITLES)), required=True)
@click.option("--seats", default=3, show_default=True)
@click.option("--secret", default="how", show_default=True)
@click.option("--moves", default=150, show_default=True)
def main(title: str, seats: int, secret: str, moves: int) -> None:
    """Write the example of a title."""
    box, dice = TITLES[title], random.Random(secret)
    written = example.Example(seats, secret)
    game = example.begun(box, written)
    while len(written.moves) < moves and game.asked:
        seat = game.asked[0]
        command = box.bots["sensible"](box.rules.view(game.state, seat), dice)[0]
        game = decide_all(game, seat, [command], 0, "bot", written.key).game
        move = seat, msgspec.Raw(msgspec.json.encode(command))
        written = msgspec.structs.replace(written, moves=(*written.moves, move))
    lines = ",\n".join(msgspec.json.encode(move).decode() for move in written.moves)
    head = f'{{"seats": {seats}, "secret": {msgspec.json.encode(secret).decode()}, "moves": [\n'
    example.file_of(box).write_text(f"{head}{lines}\n]}}\n")


if __name__ == "__main__":
    main()
