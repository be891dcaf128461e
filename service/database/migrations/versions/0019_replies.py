"""Reply addresses of letters."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

ADDS_ONLY = True


def upgrade() -> None:
    op.create_table(
        "reply",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("lines", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_reply"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_reply_person_id_person", ondelete="CASCADE"),
    )
    op.create_index("ix_reply_person_id", "reply", ["person_id"])
    op.create_index("ix_reply_created_at", "reply", ["created_at"])


def downgrade() -> None:
    op.drop_table("reply")
