"""Incoming mail, stored before it is processed; players' private notes."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("reply", sa.Column("lang", sa.String(length=35), nullable=True))
    op.create_table(
        "incoming",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("content", sa.String(length=64), nullable=False),
        sa.Column("sender", sa.String(length=254), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("what", sa.String(length=20), nullable=False),
        sa.Column("detail", sa.String(length=300), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_incoming"),
        sa.UniqueConstraint("content", name="uq_incoming_content"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_incoming_person_id_person", ondelete="CASCADE"),
    )
    for column in ("person_id", "token_hash", "received_at"):
        op.create_index(f"ix_incoming_{column}", "incoming", [column])
    op.create_index("ix_incoming_state_due_at", "incoming", ["state", "due_at"])
    op.create_table(
        "note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("text", sa.String(length=1000), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_note"),
        sa.UniqueConstraint("key", name="uq_note_key"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_note_person_id_person", ondelete="CASCADE"),
    )
    op.create_index("ix_note_person_id", "note", ["person_id"])


def downgrade() -> None:
    op.drop_table("note")
    op.drop_table("incoming")
    op.drop_column("reply", "lang")
