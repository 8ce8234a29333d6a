"""Disputes about a match: the procedure they follow, and the use cases that append to it."""
