"""What people find out about players: bots held against each other, by the thousand matches.

Every match here is one of the ledger's: the same rules, the same events, kept and audited on request.
"""
