"""Measures of how the code is organised; `make house` prints them."""
