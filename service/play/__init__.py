"""Matches at work: opened, played, undone, forked, replayed and simulated; every change is an appended step."""
