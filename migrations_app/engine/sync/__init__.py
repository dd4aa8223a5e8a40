"""Copying what exists and following what changes, shard by shard."""
