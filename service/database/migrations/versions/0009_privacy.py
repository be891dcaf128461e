"""The age of addresses, recent invitations by mail, and names without web addresses."""

import sqlalchemy as sa
from alembic import op

from service.base.names import LONGEST_OF_PERSON, LONGEST_OF_TABLE, without_addresses

revision = "0009"
down_revision = "0008"

ADDS_ONLY = False
NO_WAY_BACK = "names were changed for good"


def upgrade() -> None:
    op.add_column("person", sa.Column("address_since", sa.BigInteger(), nullable=True))
    op.create_table(
        "invited_mailbox",
        sa.Column("mailbox_hash", sa.String(length=64), nullable=False),
        sa.Column("invited_at", sa.JSON(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("never_since", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("mailbox_hash", name="pk_invited_mailbox"),
    )
    op.create_index("ix_invited_mailbox_last_at", "invited_mailbox", ["last_at"], unique=False)
    _rename("person", LONGEST_OF_PERSON)
    _rename("game", LONGEST_OF_TABLE)
    for table, column in (("webhook", "error"), ("webhook", "disabled_for"), ("webhook_call", "detail")):
        op.execute(f"UPDATE {table} SET {column} = 'no_host' WHERE {column} = 'not_public'")


def _rename(table: str, longest: int) -> None:
    """Remove web addresses from names: in mails, programs turn them into links."""
    named = sa.table(table, sa.column("id"), sa.column("name"))
    conn = op.get_bind()
    for number, name in conn.execute(sa.select(named.c.id, named.c.name)).all():
        if (plain := without_addresses(name)[:longest].strip()) != name:
            conn.execute(sa.update(named).where(named.c.id == number).values(name=plain))
