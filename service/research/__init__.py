"""For those who build players and study them: an environment to train in, an arena to hold bots against each other.

Nothing here is needed to keep a ledger; but every match here is one of the ledger's, by the same rules and with the
same events, kept and audited on request.
"""
