"""What tells a copy to slow down."""
