"""The processes of the service, and indexes for operators, so that no table is counted whole."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"

ADDS_ONLY = True

RARE = (
    ("person", "blocked_at"),
    ("person", "mail_flagged_at"),
    ("person", "mail_stopped_at"),
    ("mailing", "said_at", "said"),
)


def upgrade() -> None:
    op.create_table(
        "process",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("role", sa.String(length=60), nullable=False),
        sa.Column("host", sa.String(length=60), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("release", sa.String(length=40), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("memory", sa.BigInteger(), nullable=False),
        sa.Column("connections", sa.Integer(), nullable=False),
        sa.Column("pool", sa.Integer(), nullable=False),
        sa.Column("busy", sa.Integer(), nullable=False),
        sa.Column("doing", sa.String(length=80), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_process"),
    )
    op.add_column("operator", sa.Column("alarms", sa.Boolean(), nullable=False, server_default=sa.false()))
    for table, column, *more in RARE:
        there = sa.text(f"{column} IS NOT NULL")
        op.create_index(f"ix_{table}_{column}", table, [column, *more], sqlite_where=there, postgresql_where=there)
    op.create_index("ix_incoming_what_received_at", "incoming", ["what", "received_at"])


def downgrade() -> None:
    op.drop_index("ix_incoming_what_received_at", "incoming")
    for table, column, *_ in RARE:
        op.drop_index(f"ix_{table}_{column}", table)
    op.drop_column("operator", "alarms")
    op.drop_table("process")
