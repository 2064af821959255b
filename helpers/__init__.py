"""What a lesson should not have to write: pictures, play, exercises. The mathematics stays in the lessons."""

from helpers.charts import bars, curves, plane, stacked_bars
from helpers.diagrams import layer_diagram, pipeline, routes
from helpers.exercises import check, hint, progress
from helpers.explorer import explore
from helpers.maps import attention_map, head_maps, heat_map
from helpers.picture import Picture
from helpers.sliders import cells, play
from helpers.tables import matrix, product

__all__ = [
    "Picture", "attention_map", "bars", "cells", "check", "curves", "explore", "head_maps", "heat_map", "hint",
    "layer_diagram", "matrix", "pipeline", "plane", "play", "product", "progress", "routes", "stacked_bars",
]
