"""The number of moves that a person makes in a game in a day."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

ADDS_ONLY = True


def upgrade() -> None:
    op.create_table(
        "daily_moves",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_daily_moves"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_daily_moves_game_id_game"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_daily_moves_person_id_person", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_daily_moves_person_id", "daily_moves", ["person_id"])


def downgrade() -> None:
    op.drop_table("daily_moves")
