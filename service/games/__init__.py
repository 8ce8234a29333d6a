"""The games: what may happen in each, how its moves are written, and the shelf they stand on. Pure functions."""
