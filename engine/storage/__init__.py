"""A library as columns of numbers and bytes: kept on disk, opened without reading, changed note by note."""
