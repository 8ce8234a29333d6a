"""What a terminal shows and asks: pictures, tables, the replay viewer and the interactive table."""
