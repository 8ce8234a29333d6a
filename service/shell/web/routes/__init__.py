"""Where pages are fetched: each route finds what its page shows, and a template makes HTML of it."""
