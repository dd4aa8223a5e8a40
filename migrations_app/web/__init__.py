"""What the HTTP doors share: problems, authentication, paging, preconditions, repeated requests."""
