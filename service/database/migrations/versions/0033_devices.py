"""Devices that get notices by Web Push: webhooks with the keys of a browser."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("webhook", sa.Column("push", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.execute("DELETE FROM webhook WHERE push IS NOT NULL")
    op.drop_column("webhook", "push")
