"""A copy of the registry in a region's data database, from which resources are served without the control database."""
