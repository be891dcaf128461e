"""Deadlines of games, and when people are there."""

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    raise NotImplementedError("the tables only go forward")
