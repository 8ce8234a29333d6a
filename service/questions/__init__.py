"""Questions about recorded matches: explained, compared and decided again. They change nothing."""
