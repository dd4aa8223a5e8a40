"""What the repository has generated from the code beside the reference: pages, and the texts of the server."""
