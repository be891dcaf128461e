"""The step that a program must know to use the tables; facts about copies; marks of erased people."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

ADDS_ONLY = True
NO_WAY_BACK = "nobody could be found any more who was erased since a copy was made"


def upgrade() -> None:
    installation = op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("needs", sa.String(length=12), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("copied", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_installation"),
    )
    op.bulk_insert(installation, [{"id": 1, "needs": revision, "salt": secrets.token_bytes(32), "copied": None}])
    op.create_table(
        "erasure",
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("mark", name="pk_erasure"),
    )
