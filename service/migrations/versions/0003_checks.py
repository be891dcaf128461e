"""What the nightly check of all games found."""

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    raise NotImplementedError("the tables only go forward")
