"""Deadlines of games, and the waking hours and absences of people."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

ADDS_ONLY = True
NO_WAY_BACK = "no release has the tables before it"


def upgrade() -> None:
    op.add_column("person", sa.Column("wakes_at", sa.Integer(), nullable=False, server_default="480"))
    op.add_column("person", sa.Column("sleeps_at", sa.Integer(), nullable=False, server_default="1320"))
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("first_day", sa.String(length=10), nullable=False),
        sa.Column("last_day", sa.String(length=10), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_absence_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_absence"),
    )
    op.create_index("ix_absence_person_id", "absence", ["person_id"], unique=False)
    op.add_column("game", sa.Column("due_at", sa.BigInteger(), nullable=True))
    op.create_index("ix_game_due_at", "game", ["due_at"], unique=False)
    op.add_column("seat", sa.Column("vacant_since", sa.BigInteger(), nullable=True))
    op.create_index("ix_seat_vacant_since", "seat", ["vacant_since"], unique=False)
    op.create_table(
        "seat_clock",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("remind_at", sa.BigInteger(), nullable=True),
        sa.Column("reminders", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_clock_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seat_clock"),
    )
    op.create_index("ix_seat_clock_remind_at", "seat_clock", ["remind_at"], unique=False)
    op.create_table(
        "clock_to_move",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_clock_to_move_game_id_game"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_clock_to_move_person_id_person", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", "ply", name="pk_clock_to_move"),
    )
    op.create_index("ix_clock_to_move_person_id", "clock_to_move", ["person_id"], unique=False)
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_heartbeat"),
    )
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outage"),
    )
    op.create_index("ix_outage_settled_at", "outage", ["settled_at"], unique=False)
