"""The meaning: events folded into states, score sheets, sentences and pictures. Judges nothing."""
