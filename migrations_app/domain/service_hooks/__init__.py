"""Code of a service that runs with a write or a response: what it is registered as, and what it is called with."""
