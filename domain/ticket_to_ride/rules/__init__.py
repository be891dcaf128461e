"""One module per chapter of the catalogue: answers to commands, and consequences nobody chooses."""
