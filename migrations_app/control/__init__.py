"""The control plane, one package a subject."""
