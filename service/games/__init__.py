"""The games being played: submissions, seats and clocks, views, pictures and sandboxes."""
