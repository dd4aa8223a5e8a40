"""Values for reading."""
