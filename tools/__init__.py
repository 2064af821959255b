"""Commands for those who keep the course: no lesson imports them."""

import io
import sys

# A console that lacks a sign, as one of Windows may lack a check mark or a student's name, is given "?" in its place: a
# command that has worked for an hour must not end in an error about how its result is spelt.
for _stream in (sys.stdout, sys.stderr):
    if isinstance(_stream, io.TextIOWrapper) and _stream.errors == "strict":
        _stream.reconfigure(errors="replace")
