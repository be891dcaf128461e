"""Invitations follow from a key of the installation and can be renewed; older ones last until their table starts."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

ADDS_ONLY = False
NO_WAY_BACK = "hashes of old invitations were deleted"


def upgrade() -> None:
    op.add_column("game", sa.Column("invites", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE game SET invite_hash = NULL WHERE status <> 'open'")
