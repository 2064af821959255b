"""What the lessons read: real data, dates that are made, docstrings, sentences."""
