"""Renewed invitations, plain names, words of luck, waiting for people, facts about copies, marks of erased people."""

import secrets

import sqlalchemy as sa
from alembic import op

from service.base.names import LONGEST_OF_PERSON, LONGEST_OF_TABLE, without_addresses

revision = "0014"
down_revision = "0007"

ADDS_ONLY = False
NO_WAY_BACK = "nobody could be found any more who was erased since a copy was made"


def upgrade() -> None:
    add_columns()
    change_rows()
    wait_for_people()
    make_tables()


def add_columns() -> None:
    op.add_column("game", sa.Column("invites", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("person", sa.Column("address_since", sa.BigInteger(), nullable=True))
    op.add_column("person", sa.Column("next_secret", sa.LargeBinary(), nullable=True))
    op.add_column("person", sa.Column("named", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("person", sa.Column("zone_known", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("seat", sa.Column("salt", sa.String(length=64), nullable=False, server_default=""))
    op.add_column("seat", sa.Column("words", sa.String(length=200), nullable=False, server_default=""))
    op.add_column("sign_in_link", sa.Column("zone", sa.String(length=64), nullable=False, server_default=""))


def change_rows() -> None:
    """End older invitations but those of open tables; mark assigned names and zones, which are offered for a change."""
    op.execute("UPDATE game SET invite_hash = NULL WHERE status <> 'open'")
    _rename("person", LONGEST_OF_PERSON)
    _rename("game", LONGEST_OF_TABLE)
    for table, column in (("webhook", "error"), ("webhook", "disabled_for"), ("webhook_call", "detail")):
        op.execute(f"UPDATE {table} SET {column} = 'no_host' WHERE {column} = 'not_public'")
    op.execute("UPDATE person SET named = false WHERE name = 'Player ' || CAST(id AS VARCHAR)")
    op.execute("UPDATE person SET zone_known = false WHERE zone = 'UTC'")


def _rename(table: str, longest: int) -> None:
    """Remove web addresses from names: in mails, programs turn them into links."""
    named = sa.table(table, sa.column("id"), sa.column("name"))
    conn = op.get_bind()
    for number, name in conn.execute(sa.select(named.c.id, named.c.name)).all():
        if (plain := without_addresses(name)[:longest].strip()) != name:
            conn.execute(sa.update(named).where(named.c.id == number).values(name=plain))


def wait_for_people() -> None:
    """Let stand-in bots move at a certain time, and pause games without any present person."""
    op.add_column("game", sa.Column("bot_at", sa.BigInteger(), nullable=True))
    op.execute("UPDATE game SET bot_at = 0 WHERE bot_due")
    op.create_index("ix_game_bot_at", "game", ["bot_at"], unique=False)
    op.drop_index("ix_game_bot_due", table_name="game")
    op.drop_column("game", "bot_due")
    op.add_column("game", sa.Column("paused", sa.Boolean(), nullable=False, server_default=sa.false()))


def make_tables() -> None:
    op.create_table(
        "invited_mailbox",
        sa.Column("mailbox_hash", sa.String(length=64), nullable=False),
        sa.Column("invited_at", sa.JSON(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("never_since", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("mailbox_hash", name="pk_invited_mailbox"),
    )
    op.create_index("ix_invited_mailbox_last_at", "invited_mailbox", ["last_at"], unique=False)
    op.create_table(
        "erasure",
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("mark", name="pk_erasure"),
    )
    installation = op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("needs", sa.String(length=12), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("copied", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_installation"),
    )
    op.bulk_insert(installation, [{"id": 1, "needs": revision, "salt": secrets.token_bytes(32), "copied": None}])
