"""What the HTTP endpoints share: problems, authentication, paging, preconditions, repeated requests."""
