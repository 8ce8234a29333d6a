"""Where matches are played: in a ledger on this machine, or at a server. Commands know the backend and not which."""
