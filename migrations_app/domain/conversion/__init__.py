"""Conversions between the versions of a service: edges, ops, lenses and the engines that run them."""
