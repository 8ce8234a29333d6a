"""What the board allows: one file per game, pure functions of the state. Who may ask is not decided here."""
