"""Evictions of deployments that do not come back."""
