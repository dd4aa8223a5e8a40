"""What of a request is deprecated, and what follows from that."""
