"""Other deployments: those of this process, and those behind HTTP."""
