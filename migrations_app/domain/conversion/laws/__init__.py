"""The laws every conversion keeps, and the machinery that checks them on a user's own schemas."""
