"""For those who build players and study them; nothing here is needed to keep a ledger."""
