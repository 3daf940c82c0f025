"""The measurements of `Benchmarks/bench`."""
