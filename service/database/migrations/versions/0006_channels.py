"""Webhooks with their owed calls, and secret addresses of feeds."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

ADDS_ONLY = True
NO_WAY_BACK = "no release has the tables before it"


def upgrade() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("kinds", sa.String(length=300), nullable=False),
        sa.Column("nonce", sa.String(length=32), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("accepted_at", sa.BigInteger(), nullable=True),
        sa.Column("failed_at", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.String(length=300), nullable=False),
        sa.Column("disabled_for", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_webhook_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_webhook"),
    )
    op.create_index("ix_webhook_person_id", "webhook", ["person_id"], unique=False)
    op.create_table(
        "webhook_call",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("notice_key", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("detail", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhook.id"], name="fk_webhook_call_webhook_id_webhook", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_call"),
        sa.UniqueConstraint("key", name="uq_webhook_call_key"),
    )
    op.create_index("ix_webhook_call_webhook_id", "webhook_call", ["webhook_id"], unique=False)
    op.create_index("ix_webhook_call_state_due_at", "webhook_call", ["state", "due_at"], unique=False)
    op.create_table(
        "feed",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_feed_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "kind", name="pk_feed"),
        sa.UniqueConstraint("token_hash", name="uq_feed_token_hash"),
    )
