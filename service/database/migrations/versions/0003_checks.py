"""The results of the nightly check; the numbers of erased people; a constraint against mail that is owed twice."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ADDS_ONLY = True
NO_WAY_BACK = "the numbers of who was erased would be given to others"


def upgrade() -> None:
    keep_checks()
    forget_people()
    owe_once()


def keep_checks() -> None:
    op.create_table(
        "check_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("program", sa.String(length=40), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("titles", sa.JSON(), nullable=False),
        sa.Column("done_created_at", sa.BigInteger(), nullable=False),
        sa.Column("done_id", sa.String(length=26), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_check_run"),
        sa.UniqueConstraint("night", name="uq_check_run_night"),
    )
    op.create_table(
        "check_difference",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=True),
        sa.Column("what", sa.String(length=500), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["check_run.id"], name="fk_check_difference_run_id_check_run", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_check_difference"),
    )
    op.create_index("ix_check_difference_run_id", "check_difference", ["run_id"])


def forget_people() -> None:
    op.create_table(
        "erased_person",
        sa.Column("person_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="pk_erased_person"),
    )
    op.add_column("seat", sa.Column("erased_at", sa.BigInteger(), nullable=True))


def owe_once() -> None:
    """Make notices unique, in two indexes: for a constraint all NULLs differ, and each notice has one."""
    for column, name in (("person_id", "person"), ("address", "address")):
        there = sa.text(f"{column} IS NOT NULL")
        op.create_index(
            f"ix_outbox_once_a{'n' * (name == 'address')}_{name}",
            "outbox",
            [column, "game_id", "ply", "kind", "key"],
            unique=True,
            sqlite_where=there,
            postgresql_where=there,
        )
