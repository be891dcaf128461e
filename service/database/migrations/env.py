"""Alembic's entry point: it runs on the connection, and in the transaction, of `upgrade`."""

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
