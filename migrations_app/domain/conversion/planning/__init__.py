"""Planning an edge: which fields are the same, by ops and by matching, and what is left of them."""
