"""An attention map that answers the hand: HTML, style and script in one piece, without network and without kernel."""

import base64
import hashlib
import html
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from helpers.drawing.inputs import as_mask, as_tokens, as_weights
from helpers.drawing.maps import (
    COLOURS_OF_WEIGHTS,
    attention_map,
    head_maps,
    key_tokens_or_queries,
    note_on_sums,
    strongest,
)
from helpers.drawing.picture import SHARPNESS, Picture, fonts_for, style

KINDS = {2: "weights", 3: "heads", 4: "layers"}
LEVELS = {2: [], 3: ["head"], 4: ["layer", "head"]}
MOST_WEIGHTS = 4_000_000  # about 11 MB of page; of more heads and layers, the first ones are kept
NAMED_UP_TO = 64  # more rows or columns than this, and the static picture has positions in place of words
HEADS_BESIDE_UP_TO = 16  # the static picture shows all heads up to this many, of at most as many words
MOST_STILL_BYTES, STILL_BYTES_A_WEIGHT = 18_000, 0.9  # the whole page has 60 kB and 4 bytes a weight
QUALITIES = [(1.5, 32), (1, 32), (1, 16)]  # sharpness and colours of the static picture


def _source(name: str) -> str:
    """A file beside this one, without its indentation and its comment lines."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line.strip() for line in lines if line.strip() and not line.strip().startswith(("//", "/*")))


SCRIPT, CSS = _source("explorer.js"), _source("explorer.css")


class Explorer:
    """A page fragment to show as the last line of a cell, or to save as a page of its own.

    Attributes
    ----------
    html : str
        The fragment: a static picture, and the script that puts the explorer in its place. The same weights and
        words give the same text.
    alt : str
        What the static picture shows, in words.
    """

    def __init__(self, fragment: str, alt: str, title: str | None) -> None:
        self.html = fragment
        self.alt = alt
        self._title = title

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write a page that opens from disk in any browser, with the network off.

        Raises
        ------
        FileExistsError
            There is a file already, and `overwrite` is False.
        """
        path = Path(path)
        if path.exists() and not overwrite:
            raise FileExistsError(f"{path} exists already: give another name, or overwrite=True.")
        title = html.escape(self._title or "Attention explorer")
        path.write_text(
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            "<style>:root { color-scheme: light dark; } body { font-family: sans-serif; margin: 1rem; }</style>\n"
            f"</head>\n<body>\n<main>\n<h1>{title}</h1>\n{self.html}\n</main>\n</body>\n</html>\n",
            encoding="utf-8",
        )
        return path

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return f"Explorer: {self.alt}"


def explore(
    weights: Any,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str] | None = None,
    *,
    mask: Any = None,
    title: str | None = None,
    start: tuple[int, int] = (0, 0),
) -> Explorer:
    """Attention weights to point at: lines from a word to what it attends to, beside the map.

    The form of the lines is that of Vig, "A Multiscale Visualization of Attention in the Transformer Model" (2019).

    Parameters
    ----------
    weights : tensor, array or nested list
        (n_query, n_key), (n_heads, n_query, n_key) or (n_layers, n_heads, n_query, n_key); each from 0 to 1.
    query_tokens, key_tokens, title
        As for `attention_map`.
    mask : boolean, (n_query, n_key), optional
        True means "may attend"; one mask serves all heads and layers.
    start : the layer and the head to show first, counted from 0

    Raises
    ------
    TypeError, ValueError
        As `attention_map`; ValueError also when one map has more than four million weights, and when there is no such
        layer or head to start with.
    """
    maps, data = _understood(weights, query_tokens, key_tokens, mask, title)
    return _with_still(maps, data, mask, start)


def _understood(
    weights: Any, query_tokens: Sequence[str], key_tokens: Sequence[str] | None, mask: Any, title: str | None
) -> tuple[np.ndarray, dict[str, Any]]:
    """The maps, (n_layers, n_heads, n_query, n_key), and what the script needs to know."""
    array = _as_maps(weights)
    levels = LEVELS[array.ndim]
    n_query, n_key = array.shape[-2:]
    queries = as_tokens(query_tokens, n_query, "query_tokens", "rows of weights")
    keys = key_tokens_or_queries(key_tokens, queries, n_key)
    mask = None if mask is None else as_mask(mask, (n_query, n_key))

    maps = array.reshape((1,) * (4 - array.ndim) + array.shape)
    maps, notes = _that_fit(maps)
    notes += _notes_on_sums(maps, queries)
    return maps, {
        "shape": list(maps.shape),
        "levels": levels,
        "title": title,
        "notes": notes,
        "queries": queries,
        "keys": None if keys is queries else keys,
        "mask": None if mask is None else _base64(np.packbits(mask)),
        "weights": _base64(_packed(maps)),
    }


def _with_still(maps: np.ndarray, data: dict[str, Any], mask: Any, start: tuple[int, int]) -> Explorer:
    n_layers, n_heads = maps.shape[:2]
    if not (0 <= start[0] < n_layers and 0 <= start[1] < n_heads):
        raise ValueError(f"start must be one of {n_layers} layers and one of {n_heads} heads, but is {tuple(start)}.")
    data = {**data, "start": [int(place) for place in start]}
    queries, (layer, head) = data["queries"], data["start"]
    mask = None if mask is None else as_mask(mask, maps.shape[2:])
    place = dict(zip(["layer", "head"], (layer, head), strict=True))
    still, png, width = _still(
        maps[layer],
        head,
        {level: place[level] for level in data["levels"]},
        queries,
        data["keys"] or queries,
        mask,
        data["title"],
        STILL_BYTES_A_WEIGHT * maps.size,
    )
    image = (
        f'<img class="attention-explorer-still" alt="{html.escape(still.alt)}" width="{width}" '
        f'src="data:image/png;base64,{base64.b64encode(png).decode("ascii")}">'
    )
    return Explorer(_fragment(data, image), still.alt, data["title"])


class LiveExplorer:
    """A box to type in, and the explorer of what was typed last: show it as the last line of a cell.

    Attributes
    ----------
    box : the ipywidget that stands above the explorer; set `box.value` to type from code
    explorer : the explorer of what was read last
    """

    def __init__(self, read: Callable[[str], tuple[Any, Sequence[str]]], text: str, title: str | None, start: Any):
        import ipywidgets  # here, so that a lesson without a box does not wait for it

        self._read, self._title = read, title
        weights, tokens = read(text)
        maps, data = _understood(weights, tokens, None, None, title)
        self.explorer = _with_still(maps, {**data, "live": True}, None, start)
        look = {"description": "text, then Enter", "style": {"description_width": "initial"}}
        self.box = ipywidgets.Text(value=text, continuous_update=False, layout={"width": "40em"}, **look)
        self._trouble = ipywidgets.HTML()
        self.widget = ipywidgets.VBox([self.box, self._trouble])
        self.widget.add_class("attention-typed")
        self.box.observe(self._typed, names="value")
        self._shown: Any = None

    def _typed(self, _change: dict[str, Any]) -> None:
        try:
            weights, tokens = self._read(self.box.value)
            _, data = _understood(weights, tokens, None, None, self._title)
        except (TypeError, ValueError) as error:
            self._trouble.value = f'<p role="alert">\N{WARNING SIGN} {html.escape(str(error))}</p>'
            return
        self._trouble.value = ""
        # No picture: to draw one takes longer than all else together. The script goes on where the reader was.
        n_layers, n_heads = data["shape"][:2]
        alt = f"Attention of {n_layers} layers with {n_heads} heads over: {' '.join(tokens)}"
        image = f'<p class="attention-explorer-still">{html.escape(alt)}</p>'
        self.explorer = Explorer(_fragment({**data, "start": None, "live": True}, image), alt, self._title)
        if self._shown is not None:
            self._shown.update(self.explorer)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        bundle = self.widget._repr_mimebundle_()
        display({**bundle, "text/plain": repr(self)}, raw=True)
        self._shown = display(self.explorer, display_id=True)

    def __repr__(self) -> str:
        return "Run this cell to type a text of your own."


def explore_text(
    read: Callable[[str], tuple[Any, Sequence[str]]],
    text: str,
    *,
    title: str | None = None,
    start: tuple[int, int] = (0, 0),
) -> LiveExplorer:
    """A box to type a text in, and below it its attention weights, to point at as with `explore`.

    Parameters
    ----------
    read : function
        Takes a text, and returns its weights as `explore` takes them and its tokens. Where it raises a ValueError or
        a TypeError, the message is shown below the box.
    text : what stands in the box at first
    title, start : as for `explore`

    Raises
    ------
    TypeError, ValueError
        `read` is not a function; all that `explore` and `read` refuse in what stands in the box at first.
    """
    if not callable(read):
        raise TypeError(f"read must be a function from a text to weights and tokens, but is {read!r}.")
    return LiveExplorer(read, text, title, start)


def _as_maps(weights: Any) -> np.ndarray:
    try:
        n_dims = weights.ndim if hasattr(weights, "ndim") else np.ndim(weights)
    except ValueError:  # rows of different lengths, which the check below says in words
        n_dims = None
    return as_weights(weights, KINDS.get(n_dims, "maps"))


def _that_fit(maps: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """The first layers and heads that one page can carry, and a sentence on what was left out."""
    n_layers, n_heads, n_query, n_key = maps.shape
    room = MOST_WEIGHTS // (n_query * n_key)
    if room == 0:
        raise ValueError(
            f"weights must have at most {MOST_WEIGHTS:,} numbers a map to be explored, but have {n_query * n_key:,}."
        )
    kept = maps[: max(1, room // n_heads), :room]
    if kept.shape == maps.shape:
        return maps, []
    return kept, [
        f"Shown are the first {kept.shape[0]} of {n_layers} layers and {kept.shape[1]} of {n_heads} heads: "
        "more do not fit into a page."
    ]


def _notes_on_sums(maps: np.ndarray, queries: list[str]) -> list[str]:
    if maps.shape[:2] == (1, 1):
        note = note_on_sums(maps[0, 0], queries)
        return [note] if note else []
    n_off = int((~np.isclose(maps.sum(axis=-1), 1, atol=5e-3)).sum())
    return [f"{n_off} of {maps[..., 0].size} rows do not sum to 1."] if n_off else []


def _packed(maps: np.ndarray) -> np.ndarray:
    """Weights in steps of 1/65535; what is above 0 stays above 0."""
    steps = np.rint(maps * 65535)
    return np.where(maps > 0, np.maximum(steps, 1), 0).astype("<u2")


def _base64(array: np.ndarray) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")


def _fragment(data: dict[str, Any], image: str) -> str:
    identity = hashlib.sha256(_as_script(data).encode()).hexdigest()[:12]
    data = {"id": identity, "css": CSS, **data}
    return (
        f'<div class="attention-explorer" data-explorer="{identity}">{image}</div>\n'
        f"<script>\n({SCRIPT})(document.currentScript, {_as_script(data)});\n</script>"
    )


def _as_script(data: Any) -> str:
    """JSON that can stand in a script within a page: no word of a learner can end the script or begin a comment."""
    text = json.dumps(data, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _still(
    maps: np.ndarray,
    head: int,
    place: dict[str, int],
    queries: list[str],
    keys: list[str],
    mask: np.ndarray | None,
    title: str | None,
    bytes_of_weights: float,
) -> tuple[Picture, bytes, int]:
    """What stands there before the script runs, and where none does: the starting state, as a file and its width.

    `maps` are those of one layer; `place` says which layer and head come first, where there are any to choose from.
    """
    longest = max(maps.shape[1:])
    most_bytes = MOST_STILL_BYTES + bytes_of_weights
    if list(place) == ["head"] and len(maps) <= HEADS_BESIDE_UP_TO and longest <= HEADS_BESIDE_UP_TO:
        picture = head_maps(maps, queries, keys, mask=mask, title=title)
        if small := _small_png(picture, most_bytes):
            return picture, *small
    if longest <= NAMED_UP_TO:
        picture = attention_map(maps[head], queries, keys, mask=mask, title=_titled(title, place))
        if small := _small_png(picture, most_bytes):
            return picture, *small
    picture = _overview(maps[head], queries, keys, mask, _titled(title, place))
    return picture, *(_small_png(picture, most_bytes) or _small_png(picture, float("inf")))


def _titled(title: str | None, place: dict[str, int]) -> str | None:
    where = ", ".join(f"{level} {index}" for level, index in place.items())
    return ", ".join(part for part in (title, where) if part) or None


def _overview(
    weights: np.ndarray, queries: list[str], keys: list[str], mask: np.ndarray | None, title: str | None
) -> Picture:
    """A map of more words than can be named: positions on the axes."""
    n_query, n_key = weights.shape
    inch = 4.5 / max(n_query, n_key)
    with style():
        figure = Figure(figsize=(max(0.3, inch * n_key), max(0.3, inch * n_query)))
        axes = figure.add_axes((0, 0, 1, 1))
        shown = weights if mask is None else np.ma.masked_where(~mask, weights)
        colours = matplotlib.colormaps[COLOURS_OF_WEIGHTS].with_extremes(bad="#d9d9d9")
        image = axes.imshow(shown, cmap=colours, vmin=0, vmax=1, aspect="auto")
        axes.set_xlabel("position of the key (attended to)")
        axes.set_ylabel("position of the query")
        axes.xaxis.set_label_position("top")
        axes.xaxis.tick_top()
        axes.set_title(title or "", loc="left", pad=10, fontfamily=fonts_for(title or ""))
        figure.colorbar(image, ax=axes, ticks=[0, 0.5, 1], label="weight", fraction=0.04)
    masked = "" if mask is None else f" {(~mask).sum()} of {mask.size} cells are masked."
    return Picture(
        figure,
        (
            f"{title + '. ' if title else ''}Attention map, {n_query} queries by {n_key} keys. "
            f"Strongest weight: {strongest(weights, queries, keys)}.{masked}"
        ),
    )


def _small_png(picture: Picture, most_bytes: float) -> tuple[bytes, int] | None:
    """The picture as sharp and in as many colours as fit, and its width on the page in CSS pixels."""
    drawn = Image.open(io.BytesIO(picture.png())).convert("RGB")
    for sharpness, colours in QUALITIES:
        size = tuple(max(1, round(side * sharpness / SHARPNESS)) for side in drawn.size)
        image = drawn.resize(size, Image.Resampling.LANCZOS).quantize(colours)
        file = io.BytesIO()
        image.save(file, format="png", optimize=True)
        if len(file.getvalue()) <= most_bytes:
            return file.getvalue(), round(size[0] / sharpness)
    return None
