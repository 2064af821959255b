"""The static picture of a stage: what stands there before the script runs, and where none does."""

import numpy as np

from helpers.drawing.maps import attention_map, head_maps
from helpers.drawing.picture import Picture
from helpers.drawing.tables import MOST_CELLS_A_SIDE, matrix, product
from helpers.live.calculation.arithmetic import tables_of
from helpers.live.calculation.state import State, mask_of
from helpers.live.stills import small_png, still_image

MOST_STILL_BYTES = 14_500
PROJECTIONS = {"matrices": "w_key", "queries": "w_query", "keys": "w_key", "values": "w_value"}
RESULT_OF = {"w_query": "queries", "w_key": "keys", "w_value": "values"}


def still_picture(state: State, stage: str) -> tuple[str, str]:
    """A stage as an `<img>`, and its text alternative."""
    picture = _picture(state, stage)
    png, width = small_png(picture, MOST_STILL_BYTES)
    alt = f"The calculation of attention, stage {stage}. {picture.alt}"
    return still_image(png, alt, width, "calculation"), alt


def _picture(state: State, stage: str) -> Picture:
    tables, labels = tables_of(state), state["labels"]
    if stage == "x":
        if np.isnan(tables["outputs"]).any():
            return matrix(tables["x"], "x", row_labels=labels)
        headers = {name: tables[name].shape[1] for name in ("x", "outputs")}
        both = np.hstack([tables["x"], tables["outputs"]])
        return matrix(both, row_labels=labels, headers=headers)
    if stage in PROJECTIONS:
        name = PROJECTIONS[stage]
        names = ("x", name, RESULT_OF[name])
        return product(tables["x"], tables[name], names=names, row_labels=labels, highlight=(0, 0))
    if stage == "scores":
        queries, keys = (np.split(tables[name], state["heads"], axis=-1)[0] for name in ("queries", "keys"))
        names = ("queries", "keys, turned", "scores")
        return product(queries, keys.T, names=names, row_labels=labels, column_labels=labels, highlight=(0, 0))
    weights, mask = np.nan_to_num(tables["weights"]), mask_of(state)
    if stage in ("scaled", "weights") or state["heads"] > 1 or np.isnan(tables["outputs"]).any():
        shown = None if mask.all() else mask
        if state["heads"] > 1:
            return head_maps(weights, labels, mask=shown)
        return attention_map(weights[0], labels, mask=shown)
    if stage == "weighted" and 2 * tables["values"].shape[-1] + 1 <= MOST_CELLS_A_SIDE:
        return _weighted_for_the_first(tables, labels)
    names = ("weights", "values", "outputs")
    return product(weights[0], tables["values"], names=names, row_labels=labels, highlight=(0, 0))


def _weighted_for_the_first(tables: dict[str, np.ndarray], labels: list[str]) -> Picture:
    """What the first query makes of the values: weight, value and their product in a row for each key."""
    weights, values, weighted = tables["weights"][0, 0], tables["values"], tables["weighted"][0, 0]
    headers = {"weight": 1, "value": values.shape[-1], "goes into the output": values.shape[-1]}
    joined = np.column_stack([weights, values, weighted])
    return matrix(joined, f"for {labels[0]}", row_labels=labels, headers=headers)
