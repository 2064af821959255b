"""Timings of the course's code against references.

    python -m benchmarks [subject ...] [--json FILE]

Each module but timing.py and interaction.py is a subject: its `figures(quick)` yields `timing.Figure`s, one by one as
they are measured. interaction.py, about the pictures in a browser, is run by itself.
"""
