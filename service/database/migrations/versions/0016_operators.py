"""Operators with their actions and reasons; people who are shut out."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("person", sa.Column("blocked_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "operator",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.Column("added_by", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("person_id", name="pk_operator"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_operator_person_id_person", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["added_by"], ["person.id"], name="fk_operator_added_by_person", ondelete="SET NULL"),
    )
    op.create_index("ix_operator_added_by", "operator", ["added_by"])
    op.create_table(
        "operator_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=True),
        sa.Column("by_command", sa.Boolean(), nullable=False),
        sa.Column("what", sa.String(length=20), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("detail", sa.String(length=60), nullable=False),
        sa.Column("why", sa.String(length=300), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operator_entry"),
        sa.ForeignKeyConstraint(
            ["operator_id"], ["person.id"], name="fk_operator_entry_operator_id_person", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_operator_entry_person_id_person", ondelete="SET NULL"
        ),
    )
    for column in ("operator_id", "person_id", "game_id"):
        op.create_index(f"ix_operator_entry_{column}", "operator_entry", [column])


def downgrade() -> None:
    op.drop_table("operator_entry")
    op.drop_table("operator")
    op.drop_column("person", "blocked_at")
