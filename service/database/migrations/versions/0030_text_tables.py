"""The way in which a person's games open: with the board, or as a text table."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("person", sa.Column("open_as", sa.String(10), nullable=False, server_default="board"))


def downgrade() -> None:
    op.drop_column("person", "open_as")
