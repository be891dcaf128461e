"""Proofs that games are unchanged: verification, verdicts, files of one game, and comparison of releases."""
