"""Ratings: tables that are rated, and the strengths of players before and after each rated game."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"

ADDS_ONLY = True


def upgrade() -> None:
    for name in ("game", "record"):
        op.add_column(name, sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_record_title_ended_at", "record", ["title", "ended_at"])
    op.create_table(
        "rating",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("before_mu", sa.Integer(), nullable=False),
        sa.Column("before_sigma", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Integer(), nullable=False),
        sa.Column("sigma", sa.Integer(), nullable=False),
        sa.Column("formula", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_rating"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_rating_game_id_game"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_rating_person_id_person", ondelete="SET NULL"),
    )
    op.create_index("ix_rating_person_id_ended_at", "rating", ["person_id", "ended_at"])
    op.create_index("ix_rating_title_ended_at_game_id", "rating", ["title", "ended_at", "game_id"])


def downgrade() -> None:
    op.drop_table("rating")
    op.drop_index("ix_record_title_ended_at", "record")
    for name in ("record", "game"):
        op.drop_column(name, "rated")
