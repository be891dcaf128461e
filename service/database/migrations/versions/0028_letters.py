"""Settings for letters: with pictures or without, and short receipts."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("person", sa.Column("pictures", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("person", sa.Column("short_receipts", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("person", "short_receipts")
    op.drop_column("person", "pictures")
