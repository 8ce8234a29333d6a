"""Players that are programs: deterministic for a seed, and bound by the same rules as everybody."""
