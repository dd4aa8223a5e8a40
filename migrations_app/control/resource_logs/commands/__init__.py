"""Changes of what the logs keep."""
