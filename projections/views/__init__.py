"""What a person sees of a game: words, pictures and plain values, one file per game."""
