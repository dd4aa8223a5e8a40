"""Progress, estimates and backoff."""
