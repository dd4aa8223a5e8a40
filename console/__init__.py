"""The street: addresses, settings, processes."""
