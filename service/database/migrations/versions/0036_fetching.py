"""The state of an ordinary mailbox from which answers are fetched."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"

ADDS_ONLY = True


def upgrade() -> None:
    op.create_table(
        "fetching",
        sa.Column("mailbox", sa.String(length=300), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("fails", sa.Integer(), nullable=False),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.Column("trouble", sa.String(length=20), nullable=False),
        sa.Column("left", sa.Integer(), nullable=False),
        sa.Column("fetched_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("mailbox", name="pk_fetching"),
    )


def downgrade() -> None:
    op.drop_table("fetching")
