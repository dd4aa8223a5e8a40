"""When people are told."""
