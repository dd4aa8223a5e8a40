"""The registry: regions, services, deployments, resource types."""
