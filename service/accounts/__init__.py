"""The actions of a person on their own account, for pages and API alike; each keeps its limits and logs its events."""
