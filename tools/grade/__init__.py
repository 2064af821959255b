"""Grade a class: `python -m tools.grade CLASS` makes sheets and pages of what Moodle or Canvas give.

`collect` finds each student's files, `notebooks` reads them, `room` runs them inside the containment that `contain`
builds, `marks` says what deserves a look, `sheets` and `pages` write what a teacher opens, `assignment` makes a lesson
an assignment of nbgrader or Otter.
"""
