"""Constraints across deployments: references established, deletions agreed, cascades carried on."""
