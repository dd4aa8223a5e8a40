"""Long operations, and answers kept for requests that may be repeated."""
