"""The causes of failing mail, the results of conversations with the mail server, and alarms to operators."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

ADDS_ONLY = True

FAILING = sa.text("failing_for IS NOT NULL")


def upgrade() -> None:
    op.add_column("outbox", sa.Column("failing_for", sa.String(length=8), nullable=True))
    op.create_index(
        "ix_outbox_failing_for",
        "outbox",
        ["failing_for", "failing_since"],
        sqlite_where=FAILING,
        postgresql_where=FAILING,
    )
    op.create_table(
        "conversation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.String(length=8), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversation"),
    )
    op.create_index("ix_conversation_at", "conversation", ["at"])
    op.create_table(
        "alarm",
        sa.Column("what", sa.String(length=20), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("tried_at", sa.BigInteger(), nullable=False),
        sa.Column("told_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("what", name="pk_alarm"),
    )


def downgrade() -> None:
    op.drop_table("alarm")
    op.drop_table("conversation")
    op.drop_index("ix_outbox_failing_for", table_name="outbox")
    op.drop_column("outbox", "failing_for")
