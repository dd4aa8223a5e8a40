"""Declared objects: read from files, compared with the console's, applied as one, and exported."""
