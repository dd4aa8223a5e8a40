"""What clients use that is deprecated: notes of use, headers of answers, and brown-outs."""
