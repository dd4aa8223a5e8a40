"""Records the secrets that a test run makes, and searches every log of the run for them."""
