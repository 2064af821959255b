"""What a lesson should not have to write: pictures, sliders, exercises. The mathematics stays in the lessons.

The names here are those that most lessons import. Each stands in a room of its own:

- `drawing` makes pictures, `live` what answers the hand;
- `exercises` holds what lessons ask, `checks` what judges an answer;
- `models` holds what lessons build, train or open, `data` what they read.
"""

from helpers.drawing.anatomy import course_strip, fan_out, heads_flow, pressed_flat, stage_strip, steps_of_softmax
from helpers.drawing.charts import bars, curves, plane, stacked_bars
from helpers.drawing.diagrams import layer_diagram, pipeline, routes
from helpers.drawing.flows import library, lookup, mixture, shifted, writing_loop
from helpers.drawing.geometry import clock_hands, shadow, turned_together, two_planes, waves
from helpers.drawing.maps import attention_map, head_maps, heat_map
from helpers.drawing.picture import Picture
from helpers.drawing.tables import matrix, product
from helpers.exercises import check, hint, next_exercise, progress
from helpers.live.calculation import calculation
from helpers.live.cells import cells
from helpers.live.explorer import explore
from helpers.live.sliders import play

__all__ = [
    "Picture",
    "attention_map",
    "bars",
    "calculation",
    "cells",
    "check",
    "clock_hands",
    "course_strip",
    "curves",
    "explore",
    "fan_out",
    "head_maps",
    "heads_flow",
    "heat_map",
    "hint",
    "layer_diagram",
    "library",
    "lookup",
    "matrix",
    "mixture",
    "next_exercise",
    "pipeline",
    "plane",
    "play",
    "pressed_flat",
    "product",
    "progress",
    "routes",
    "shadow",
    "shifted",
    "stacked_bars",
    "stage_strip",
    "steps_of_softmax",
    "turned_together",
    "two_planes",
    "waves",
    "writing_loop",
]
