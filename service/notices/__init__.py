"""Notices: what is owed to people, its delivery, webhooks, and whether the work gets done."""
