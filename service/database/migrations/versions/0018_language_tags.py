"""The language of a person is a tag of BCP 47, such as ``pt-BR``; before, there was room for two letters."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

ADDS_ONLY = True


def upgrade() -> None:
    _give_room(35)


def downgrade() -> None:
    op.execute("UPDATE person SET lang = 'en' WHERE length(lang) > 2")  # earlier releases know no such language
    _give_room(2)


def _give_room(letters: int) -> None:
    if op.get_bind().dialect.name != "sqlite":
        op.alter_column("person", "lang", type_=sa.String(letters))
        return
    # SQLite cannot change a column, and a rebuild of the table would delete the rows that refer to it.
    op.add_column("person", sa.Column("tag", sa.String(letters), nullable=False, server_default="en"))
    op.execute("UPDATE person SET tag = lang")
    op.drop_column("person", "lang")
    op.execute("ALTER TABLE person RENAME COLUMN tag TO lang")
