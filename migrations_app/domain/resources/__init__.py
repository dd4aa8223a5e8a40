"""Names and patterns, metadata, lifecycle, shards of resources."""
