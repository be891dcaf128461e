"""Profiles of people at random addresses, the people they like to play with, and those they block."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("person", sa.Column("profile", sa.String(length=22), nullable=True))
    op.add_column("person", sa.Column("hides", sa.String(length=100), nullable=False, server_default=""))
    people = sa.table("person", sa.column("id", sa.Integer), sa.column("profile", sa.String))
    for number in list(op.get_bind().scalars(sa.select(people.c.id))):
        op.execute(people.update().where(people.c.id == number).values(profile=secrets.token_hex(11)))
    op.create_index("ix_person_profile", "person", ["profile"])
    for name, other in (("liked", "liked_id"), ("block", "blocked_id")):
        op.create_table(
            name,
            sa.Column("person_id", sa.Integer(), nullable=False),
            sa.Column(other, sa.Integer(), nullable=False),
            sa.Column("since", sa.BigInteger(), nullable=False),
            sa.PrimaryKeyConstraint("person_id", other, name=f"pk_{name}"),
            sa.ForeignKeyConstraint(
                ["person_id"], ["person.id"], name=f"fk_{name}_person_id_person", ondelete="CASCADE"
            ),
            sa.ForeignKeyConstraint([other], ["person.id"], name=f"fk_{name}_{other}_person", ondelete="CASCADE"),
        )
        op.create_index(f"ix_{name}_{other}", name, [other])


def downgrade() -> None:
    op.drop_table("block")
    op.drop_table("liked")
    op.drop_index("ix_person_profile", "person")
    op.drop_column("person", "hides")
    op.drop_column("person", "profile")
