"""What people meet: commands, the terminal and pages. Parses, calls the rooms below, and prints."""
