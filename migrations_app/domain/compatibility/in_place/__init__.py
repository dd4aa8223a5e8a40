"""A change of a version in place, seen as a whole."""
