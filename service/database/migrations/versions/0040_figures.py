"""Figures over time, for operators."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"

ADDS_ONLY = True


def upgrade() -> None:
    op.create_table(
        "figure",
        sa.Column("span", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("what", sa.String(length=20), nullable=False),
        sa.Column("bound", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("span", "at", "what", "bound", name="pk_figure"),
    )


def downgrade() -> None:
    op.drop_table("figure")
