"""Training of the Transformer of lesson 12 on pairs of sentences; `__main__` says how to call it."""
