"""An adversary with the database, the files and time: `make attack` for long, tests/attack/test_*.py in `make test`."""
