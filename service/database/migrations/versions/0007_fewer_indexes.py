"""Lists of games use the order of their opening, so that a move changes no index any more."""

from alembic import op

revision = "0007"
down_revision = "0006"

ADDS_ONLY = True
NO_WAY_BACK = "no release has the tables before it"


def upgrade() -> None:
    op.drop_index("ix_game_moved_at", table_name="game")
    op.drop_index("ix_game_status_moved_at", table_name="game")
    op.drop_index("ix_game_status", table_name="game")
    op.create_index("ix_game_status_created_at", "game", ["status", "created_at"], unique=False)
