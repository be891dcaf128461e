"""A mark for names and time zones that people chose themselves; assigned ones are offered for a change."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

ADDS_ONLY = True
NO_WAY_BACK = "no release has the tables before it"


def upgrade() -> None:
    op.add_column("person", sa.Column("named", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("person", sa.Column("zone_known", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("sign_in_link", sa.Column("zone", sa.String(length=64), nullable=False, server_default=""))
    person = sa.table(
        "person",
        sa.column("id", sa.Integer),
        sa.column("name", sa.String),
        sa.column("zone", sa.String),
        sa.column("named", sa.Boolean),
        sa.column("zone_known", sa.Boolean),
    )
    given = sa.literal("Player ").concat(sa.cast(person.c.id, sa.String))
    op.execute(person.update().where(person.c.name == given).values(named=False))
    op.execute(person.update().where(person.c.zone == "UTC").values(zone_known=False))
