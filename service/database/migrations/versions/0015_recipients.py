"""A row for each recipient of owed mail, with the next moment at which a mail may go.

The sweep that corrects these rows also finds mail that an older program writes into the outbox.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

ADDS_ONLY = True


def upgrade() -> None:
    op.create_table(
        "recipient",
        sa.Column("who", sa.String(length=254), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("claim", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_recipient_person_id_person"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("who", name=op.f("pk_recipient")),
    )
    op.create_index("ix_recipient_person_id", "recipient", ["person_id"], unique=False)
    op.create_index("ix_recipient_next_at", "recipient", ["next_at"], unique=False)
    op.execute("""
        INSERT INTO recipient (who, person_id, next_at, claim)
        SELECT coalesce(address, CAST(person_id AS VARCHAR)), CASE WHEN address IS NULL THEN person_id END,
               coalesce(max(CASE WHEN state = 'leased' THEN coalesce(lease_until, 0) END), min(due_at)),
               max(CASE WHEN state = 'leased' THEN '' END)
        FROM outbox WHERE state IN ('pending', 'leased')
        GROUP BY coalesce(address, CAST(person_id AS VARCHAR)), CASE WHEN address IS NULL THEN person_id END
    """)
    op.create_index("ix_outbox_person_id_state_due_at", "outbox", ["person_id", "state", "due_at"], unique=False)


def downgrade() -> None:
    """Drop the table: the outbox contains all its facts."""
    op.drop_index("ix_outbox_person_id_state_due_at", table_name="outbox")
    op.drop_table("recipient")
