"""Who vouches for what: keys, signatures and receipts of the ledger, and the keys arbiters rule with."""
