"""What can be shown to others: that games are what they were, and what is kept of a person."""
