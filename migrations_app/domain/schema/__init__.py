"""What a service's types look like in one version, and the loaders that read it."""
