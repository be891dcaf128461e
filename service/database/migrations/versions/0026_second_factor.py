"""Second factors of operators, their recovery codes, and the browsers that have given one."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

ADDS_ONLY = True


def upgrade() -> None:
    op.create_table(
        "second_factor",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("nonce", sa.String(length=32), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("setup_hash", sa.String(length=64), nullable=False),
        sa.Column("setup_until", sa.BigInteger(), nullable=False),
        sa.Column("set_up_at", sa.BigInteger(), nullable=True),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("shut_until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_second_factor_person_id_person"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_second_factor")),
    )
    op.create_table(
        "recovery_code",
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_recovery_code_person_id_person"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_recovery_code")),
    )
    op.create_index(op.f("ix_recovery_code_person_id"), "recovery_code", ["person_id"])
    op.add_column("session", sa.Column("second_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("session", "second_at")
    op.drop_table("recovery_code")
    op.drop_table("second_factor")
