"""Notices: the rows owed to people, their delivery, webhooks, and a watch over that work."""
