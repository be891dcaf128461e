"""Benchmarks: each figure with a yardstick; ``python -m tests.bench`` runs them."""
