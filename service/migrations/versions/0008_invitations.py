"""Invitations follow from a key of the installation and can be renewed; older ones last until their table starts."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("invites", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE game SET invite_hash = NULL WHERE status <> 'open'")


def downgrade() -> None:
    raise NotImplementedError("the tables only go forward")
