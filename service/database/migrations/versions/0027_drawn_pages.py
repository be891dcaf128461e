"""Games as pages, drawn by a worker for a viewer who asked, and kept for a day at most."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

ADDS_ONLY = True


def upgrade() -> None:
    op.create_table(
        "drawn_page",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("lang", sa.String(length=35), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_drawn_page"),
        sa.UniqueConstraint("key", name="uq_drawn_page_key"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_drawn_page_game_id_game"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_drawn_page_person_id_person", ondelete="CASCADE"
        ),
    )
    for column in ("game_id", "person_id", "asked_at"):
        op.create_index(f"ix_drawn_page_{column}", "drawn_page", [column])
    op.create_index("ix_drawn_page_state_due_at", "drawn_page", ["state", "due_at"])


def downgrade() -> None:
    op.drop_table("drawn_page")
