"""Every operation of /api/v1 is requested, and every answer is compared with docs/reference/openapi.yaml."""
