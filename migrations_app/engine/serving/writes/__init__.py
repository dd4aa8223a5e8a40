"""What a write passes on its way to the store."""
