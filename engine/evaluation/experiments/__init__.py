"""One module an experiment: what was measured as a frozen record, and the function that measures it."""
