"""References between resources while they are served: checked, listed, drawn as a graph."""
