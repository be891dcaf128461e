"""How people wish to be written to."""

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet."""


def downgrade() -> None:
    raise NotImplementedError("the tables only go forward")
