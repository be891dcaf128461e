"""The offers of tables to people who look for a seat."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"

ADDS_ONLY = True


def upgrade() -> None:
    op.create_table(
        "offer",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("lang", sa.String(length=35), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=True),
        sa.Column("rating_low", sa.Integer(), nullable=True),
        sa.Column("rating_high", sa.Integer(), nullable=True),
        sa.Column("finished", sa.Integer(), nullable=False),
        sa.Column("newcomers", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_offer"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_offer_game_id_game"),
    )


def downgrade() -> None:
    op.drop_table("offer")
