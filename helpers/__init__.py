"""What a lesson should not have to write: pictures of attention. The mathematics stays in the notebooks."""

from helpers.charts import bars, curves, plane, stacked_bars
from helpers.diagrams import layer_diagram, pipeline, routes
from helpers.maps import attention_map, head_maps
from helpers.picture import Picture
from helpers.tables import matrix, product

__all__ = [
    "Picture", "attention_map", "bars", "curves", "head_maps", "layer_diagram", "matrix", "pipeline", "plane",
    "product", "routes", "stacked_bars",
]
