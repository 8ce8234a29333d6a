"""What may happen: rules, chance, the store, and the use cases that join them."""
