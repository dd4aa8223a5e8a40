"""Events: what happened, kept with the work and told to everybody who listens."""
