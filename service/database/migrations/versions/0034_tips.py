"""Whether a person wants tips in their first game of a title."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("person", sa.Column("tips", sa.Boolean, nullable=False, server_default=sa.true()))


def downgrade() -> None:
    op.drop_column("person", "tips")
