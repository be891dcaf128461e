"""The games being played: the one road in, seats and clocks, what may be seen, pictures and sandboxes."""
