"""Resources of other deployments that are kept here as shadows, and reads that compare both versions."""
