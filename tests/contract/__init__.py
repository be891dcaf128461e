"""What holds for every title in TITLES, asked of each without knowing any. A new title is tested by being listed."""
