"""How Alembic runs here: on the connection, and in the transaction, that `upgrade` hands it."""

from alembic import context
from sqlmodel import SQLModel

import service.database.tables  # noqa: F401  (fills the metadata)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
