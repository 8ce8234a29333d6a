"""The vocabulary: typed facts, their canonical bytes and their chain. Knows no clock, no disk and no chance."""
