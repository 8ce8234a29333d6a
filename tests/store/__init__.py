"""The store's promises, held against every database it runs on."""
