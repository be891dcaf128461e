"""Notes of operators about people and games, and webhooks for the alarms of single operators."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"

ADDS_ONLY = True


def upgrade() -> None:
    op.create_table(
        "operator_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("operator_id", sa.Integer(), nullable=True),
        sa.Column("by_command", sa.Boolean(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.String(length=26), nullable=True),
        sa.Column("text", sa.String(length=2000), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operator_note"),
        sa.ForeignKeyConstraint(
            ["operator_id"], ["person.id"], name="fk_operator_note_operator_id_person", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_operator_note_person_id_person", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_operator_note_game_id_game"),
    )
    for column in ("operator_id", "person_id", "game_id"):
        op.create_index(f"ix_operator_note_{column}", "operator_note", [column])
    op.add_column("operator", sa.Column("alarm_url", sa.String(length=500), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("operator", "alarm_url")
    op.drop_table("operator_note")
