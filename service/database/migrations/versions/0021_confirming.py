"""The way to confirm moves in slow and live games: a whole turn, each command, or none."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("person", sa.Column("confirm", sa.String(10), nullable=False, server_default="turn"))
    op.add_column("person", sa.Column("confirm_live", sa.String(10), nullable=False, server_default="at_once"))


def downgrade() -> None:
    op.drop_column("person", "confirm_live")
    op.drop_column("person", "confirm")
