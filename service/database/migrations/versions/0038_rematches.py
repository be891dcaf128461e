"""Rematches, tables whose seats need the invitation, and the switch for the link to the next game that waits."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("game", sa.Column("by_invitation", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("person", sa.Column("next_game", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_table(
        "rematch",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("next_id", sa.String(length=26), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_rematch"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_rematch_game_id_game"),
        sa.ForeignKeyConstraint(["next_id"], ["game.id"], name="fk_rematch_next_id_game"),
        sa.UniqueConstraint("next_id", name="uq_rematch_next_id"),
    )


def downgrade() -> None:
    op.drop_table("rematch")
    op.drop_column("person", "next_game")
    op.drop_column("game", "by_invitation")
