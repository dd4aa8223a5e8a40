"""The fleet: deployments as pages and lists show them."""
