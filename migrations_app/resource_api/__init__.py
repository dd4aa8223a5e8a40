"""The resource API: every service in every version, at `/apis/{region}/{service}/{version}/…`."""
