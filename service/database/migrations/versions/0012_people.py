"""Waiting for people: stand-in bots move at a certain time, and games without any present person are paused."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

ADDS_ONLY = False
NO_WAY_BACK = "the program before it cannot go on with games that wait for their people"


def upgrade() -> None:
    op.add_column("game", sa.Column("bot_at", sa.BigInteger(), nullable=True))
    op.execute("UPDATE game SET bot_at = 0 WHERE bot_due")
    op.create_index("ix_game_bot_at", "game", ["bot_at"], unique=False)
    op.drop_index("ix_game_bot_due", table_name="game")
    op.drop_column("game", "bot_due")
    op.add_column("game", sa.Column("paused", sa.Boolean(), nullable=False, server_default=sa.false()))
