"""Commands that work on service folders and need no server."""
