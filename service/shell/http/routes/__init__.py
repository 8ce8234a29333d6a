"""The routes of the service, each a few lines: who may ask, which use case, what is answered."""
