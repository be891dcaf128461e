"""Sandboxes: positions that are played on aside from their game."""

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    raise NotImplementedError("the tables only go forward")
