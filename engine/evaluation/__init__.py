"""Labelled questions -> figures: retrieval, answers, their tables and pictures."""
