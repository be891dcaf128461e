"""Mail as it comes: a corpus made here, of how mail programs, machines and reports write, and what becomes of it."""
