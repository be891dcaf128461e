"""What everything else stands on: the time of day, hints to the workers, signed links, and what a name may be."""
