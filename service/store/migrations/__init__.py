"""How the tables came to be, one script per change; shipped in the wheel so that an installed ledger can migrate."""
