"""Benchmarks: our figure beside its yardstick; ``python -m tests.bench`` runs them."""
