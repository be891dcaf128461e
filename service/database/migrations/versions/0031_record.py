"""The record: a row for each finished game and player of a seat, and the players whose seats substitutes took over."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

ADDS_ONLY = True

UNRECORDED = sa.text("status = 'over' AND recorded_at IS NULL")


def upgrade() -> None:
    op.add_column("game", sa.Column("recorded_at", sa.BigInteger(), nullable=True))
    op.create_index("ix_game_unrecorded", "game", ["ended_at"], sqlite_where=UNRECORDED, postgresql_where=UNRECORDED)
    op.create_table(
        "former_player",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "ply", name="pk_former_player"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_former_player_game_id_game"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_former_player_person_id_person", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_former_player_person_id", "former_player", ["person_id"])
    op.create_table(
        "record",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("sitting", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("bot", sa.String(length=20), nullable=True),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("leaving", sa.String(length=10), nullable=False),
        sa.Column("played_by", sa.String(length=10), nullable=False),
        sa.Column("times", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "sitting", name="pk_record"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_record_game_id_game"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_record_person_id_person", ondelete="SET NULL"),
    )
    op.create_index("ix_record_person_id_ended_at", "record", ["person_id", "ended_at"])


def downgrade() -> None:
    op.drop_table("record")
    op.drop_table("former_player")
    op.drop_index("ix_game_unrecorded", "game")
    op.drop_column("game", "recorded_at")
