"""Regions, services, deployments and the rules between them."""
