"""Moves as people write them: compact to write, lax to read. The grammar is docs/notation.md."""
