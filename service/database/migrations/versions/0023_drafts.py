"""The way by which a mail came, and its content while it waits for its author's confirmation."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("incoming", sa.Column("via", sa.String(length=8), nullable=False, server_default="mail"))
    op.add_column("incoming", sa.Column("draft", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("incoming", "draft")
    op.drop_column("incoming", "via")
