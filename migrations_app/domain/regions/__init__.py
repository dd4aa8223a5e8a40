"""Policy and placement across regions."""
