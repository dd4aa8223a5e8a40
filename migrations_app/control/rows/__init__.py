"""What reading rows shares: the reach of the reader, and one read for many."""
