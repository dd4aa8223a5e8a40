"""Ports of what connects regions: peers and their requests, where things are placed, arrangements."""
