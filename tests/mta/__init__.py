"""Mail through Debian's mail servers, set up by the documentation: ``python -m tests.mta postfix``."""
