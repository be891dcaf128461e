"""Tables have their names elsewhere: the release after takes away what this one needs."""

import sqlalchemy as sa
from alembic import op

revision = "next_2"
down_revision = "next_1"

ADDS_ONLY = False


def upgrade() -> None:
    op.execute("UPDATE game SET motto = name WHERE motto = ''")
    op.drop_column("game", "name")


def downgrade() -> None:
    op.add_column("game", sa.Column("name", sa.String(length=80), nullable=False, server_default=""))
    op.execute("UPDATE game SET name = motto")
