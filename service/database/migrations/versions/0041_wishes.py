"""Standing wishes for a game, and the tables whose seats are kept for the people who wish for one."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"

ADDS_ONLY = True

TAKEN, WAITING = sa.text("state IN ('kept', 'sat', 'playing')"), sa.text("state IN ('kept', 'sat')")


def upgrade() -> None:
    op.create_table(
        "wish",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("titles", sa.JSON(), nullable=False),
        sa.Column("paces", sa.JSON(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("rated", sa.String(length=6), nullable=False),
        sa.Column("spread", sa.Integer(), nullable=True),
        sa.Column("finished", sa.Integer(), nullable=False),
        sa.Column("lang", sa.String(length=35), nullable=False),
        sa.Column("at_once", sa.Integer(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_wish"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_wish_person_id_person", ondelete="CASCADE"),
    )
    op.create_index("ix_wish_person_id", "wish", ["person_id"])
    op.create_table(
        "kept_table",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("pace", sa.String(length=20), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_kept_table"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_kept_table_game_id_game"),
    )
    op.create_table(
        "kept_seat",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("wish_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("offered_at", sa.BigInteger(), nullable=False),
        sa.Column("kept_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_kept_seat"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_kept_seat_game_id_game"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_kept_seat_person_id_person", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["wish_id"], ["wish.id"], name="fk_kept_seat_wish_id_wish", ondelete="SET NULL"),
    )
    op.create_index("ix_kept_seat_person_id", "kept_seat", ["person_id"])
    op.create_index(
        "ix_kept_seat_taken", "kept_seat", ["game_id", "seat"], unique=True, sqlite_where=TAKEN, postgresql_where=TAKEN
    )
    op.create_index(
        "ix_kept_seat_of_a_wish", "kept_seat", ["wish_id"], unique=True, sqlite_where=WAITING, postgresql_where=WAITING
    )
    op.create_index("ix_kept_seat_wish_id", "kept_seat", ["wish_id"])
    op.create_index("ix_kept_seat_state_kept_until", "kept_seat", ["state", "kept_until"])


def downgrade() -> None:
    op.drop_table("kept_seat")
    op.drop_table("kept_table")
    op.drop_table("wish")
