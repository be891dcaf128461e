"""The base of all other rooms: the time of day, hints to the workers, signed links, and the rule for names."""
