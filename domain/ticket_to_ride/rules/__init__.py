"""One module per chapter of the catalogue: answers to commands, their guards, and automatic consequences."""
