"""Ways to a registry: over HTTP, over gRPC, or directly for the registry's own server."""
