"""Ten encyclopedia articles on the Solar System with labelled questions; the articles are not part of the project."""
