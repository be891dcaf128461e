"""The area of operators: what they may do, each thing with who did it and why, and what they see."""
