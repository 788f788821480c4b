"""What planet-tui and its peers take for the same work: `python -m tests.benchmarks`; see docs/performance.md."""
