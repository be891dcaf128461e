"""Mail settings: switches, quiet hours, the digest; presence; addresses whose mail bounces."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ADDS_ONLY = True
NO_WAY_BACK = "no release has the tables before it"


def upgrade() -> None:
    op.add_column("person", sa.Column("quiet", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("person", sa.Column("digest_at", sa.Integer(), nullable=True))
    op.add_column("person", sa.Column("mail_flagged_at", sa.BigInteger(), nullable=True))
    op.add_column("person", sa.Column("mail_flag", sa.String(length=300), nullable=False, server_default=""))
    op.add_column("outbox", sa.Column("held", sa.String(length=12), nullable=True))
    op.add_column("outbox", sa.Column("told_by", sa.String(length=200), nullable=True))
    op.add_column("outbox", sa.Column("resent", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("outbox", sa.Column("failing_since", sa.BigInteger(), nullable=True))
    op.create_table(
        "mail_switch",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_mail_switch_person_id_person", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "game_id", "kind", name="pk_mail_switch"),
    )
    op.create_table(
        "presence",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_presence_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "game_id", name="pk_presence"),
    )
    op.create_table(
        "address_link",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_address_link_person_id_person", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name="pk_address_link"),
    )
    op.create_index("ix_address_link_person_id", "address_link", ["person_id"], unique=False)
