"""Webhooks and feeds."""

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    raise NotImplementedError("the tables only go forward")
