"""Retrieval-augmented generation as a probability model: sources as a hidden variable, small models to compute it."""
