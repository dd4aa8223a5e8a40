"""The ops of the edge format, one per file."""
