"""Timings of the course's code against references: python -m benchmarks

Each other module is a subject: its `figures(quick)` yields `timing.Figure`s, one at a time as they are measured.
"""
