"""Tests that hold for every title in TITLES, without knowing any. A new title is tested by being listed."""
