"""Words of luck: salt and words of a seat, and the prepared secret of a person's next table."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0009"

ADDS_ONLY = True
NO_WAY_BACK = "the words of luck that players brought would be lost"


def upgrade() -> None:
    op.add_column("seat", sa.Column("salt", sa.String(length=64), nullable=False, server_default=""))
    op.add_column("seat", sa.Column("words", sa.String(length=200), nullable=False, server_default=""))
    op.add_column("person", sa.Column("next_secret", sa.LargeBinary(), nullable=True))
