"""What tests build their scenes from."""
