"""The OpenAPI document of a service version."""
