"""The commands of cli.py by area: each parses its arguments, calls the service and prints."""
