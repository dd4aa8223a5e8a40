"""The resource API without a server."""
