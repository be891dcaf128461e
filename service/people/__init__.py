"""People: accounts, addresses, preferences, presence, calendars, and the recipients of mail."""
