"""The life of an upgrade as data: states, guards, plan, and the words for all of them."""
