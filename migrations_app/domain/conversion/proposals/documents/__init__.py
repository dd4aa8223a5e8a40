"""What the documents of fields say, and what they say of the names of others."""
