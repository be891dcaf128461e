"""The area of operators: their actions, each recorded with operator and reason, and their reports."""
