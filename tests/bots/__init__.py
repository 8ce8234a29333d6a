"""Bots: what they answer, and what they are called."""
