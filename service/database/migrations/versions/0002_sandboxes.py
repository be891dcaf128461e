"""Sandboxes: private copies of positions."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ADDS_ONLY = True
NO_WAY_BACK = "no release has the tables before it"


def upgrade() -> None:
    op.create_table(
        "sandbox",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("imagined", sa.Boolean(), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("note", sa.String(length=2000), nullable=False),
        sa.Column("bots", sa.JSON(), nullable=False),
        sa.Column("start", sa.LargeBinary(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_sandbox_person_id_person", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_sandbox_game_id_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_sandbox"),
    )
    op.create_index("ix_sandbox_person_id", "sandbox", ["person_id"], unique=False)
    op.create_index("ix_sandbox_game_id", "sandbox", ["game_id"], unique=False)
    op.create_table(
        "sandbox_ply",
        sa.Column("sandbox_id", sa.String(length=26), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sandbox_id"], ["sandbox.id"], name="fk_sandbox_ply_sandbox_id_sandbox", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sandbox_id", "ply", name="pk_sandbox_ply"),
    )
