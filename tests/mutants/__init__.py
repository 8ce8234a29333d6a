"""Mutation testing: small wrong changes to the code, made in memory, each of which some test should notice."""
