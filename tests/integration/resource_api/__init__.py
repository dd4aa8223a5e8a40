"""The resource API over real data databases."""
