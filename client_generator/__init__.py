"""Writes the typed parts of `switchyard_client` from docs/reference/openapi.yaml: `python -m client_generator`."""
