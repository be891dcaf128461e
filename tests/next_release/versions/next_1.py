"""Mottos: the made-up next release adds a table, a column and an index."""

import sqlalchemy as sa
from alembic import op
from alembic.script import ScriptDirectory

from service.database import migrations

revision = "next_1"
down_revision = ScriptDirectory(str(migrations.HERE)).get_current_head()

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("game", sa.Column("motto", sa.String(length=80), nullable=False, server_default=""))
    op.create_index("ix_game_motto", "game", ["motto"])
    op.create_table(
        "motto",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("motto", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_motto_game_id_game"),
        sa.PrimaryKeyConstraint("id", name="pk_motto"),
    )


def downgrade() -> None:
    op.drop_table("motto")
    op.drop_index("ix_game_motto", table_name="game")
    op.drop_column("game", "motto")
