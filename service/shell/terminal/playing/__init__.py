"""The screen of `play`: who sits at the keyboard, what is shown, and what the words at its prompt do."""
