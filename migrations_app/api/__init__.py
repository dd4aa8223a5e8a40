"""The REST API of the console: one noun per file, over actions and queries alone."""
