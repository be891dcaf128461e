"""The record of finished games: a row for each player, made by a worker, and what people read of their own."""
