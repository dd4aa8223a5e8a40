"""The service hooks that this process installs, and the threads that run them."""
