"""Data at rest: backups of the store, the export of a person's data, and its deletion for good."""
