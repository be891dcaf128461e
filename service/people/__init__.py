"""Who plays: accounts, addresses, preferences and presence, calendars, and whom mail may reach."""
