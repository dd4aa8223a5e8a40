"""How requests of the REST API are read."""
