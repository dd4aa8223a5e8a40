"""What clients use of a service, and versions that retire."""
