"""Background upkeep."""
