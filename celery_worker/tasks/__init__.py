"""The tasks: one key for one controller, and the sweep."""
