"""Feeds for calendars and feed readers."""
