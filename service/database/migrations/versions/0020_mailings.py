"""Sent mails and the reports about them."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

ADDS_ONLY = True


def upgrade() -> None:
    op.create_table(
        "mailing",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("mailbox_hash", sa.String(length=64), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=False),
        sa.Column("said", sa.String(length=12), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("said_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("token_hash", name="pk_mailing"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_mailing_person_id_person", ondelete="CASCADE"),
    )
    for column in ("mailbox_hash", "person_id", "sent_at"):
        op.create_index(f"ix_mailing_{column}", "mailing", [column])


def downgrade() -> None:
    op.drop_table("mailing")
