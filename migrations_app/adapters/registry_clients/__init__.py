"""Ways to a registry: over HTTP, or directly for the registry's own server."""
