"""People: accounts, addresses, mail settings, presence, calendars, and the recipients of mail."""
