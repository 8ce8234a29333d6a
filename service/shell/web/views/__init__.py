"""What each page says, as small typed values; templates print them. Nothing here writes markup or knows of HTTP."""
