"""Mail through the mail servers of Debian, set up as is documented: ``python -m tests.mta postfix``."""
