"""Proofs that games are as they were: verification, verdicts, files of one game, and comparison of releases."""
