"""Labelled questions -> the weights of the fusion that suit them, and by how much they help on questions left out."""
