"""The database: tables, connections, statements, migrations, and the store of plies and games."""
