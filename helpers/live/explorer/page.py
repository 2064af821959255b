"""The explorer's HTML: what stands still, the style and the script in one piece, as text."""

import hashlib
import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
# In this order: a class must be there before the first one that is made of it.
PARTS = [
    "elements",
    "data",
    "state",
    "readout",
    "theme",
    "pixels",
    "map",
    "map_drawing",
    "columns",
    "lines",
    "choices",
    "table",
    "explorer",
    "start",
]
# One classic script, as it is read in the folder: no loader and no module works in every place that shows a notebook.
SCRIPT = "\n".join((HERE / "script" / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)
CSS = (HERE / "style.css").read_text(encoding="utf-8")


def fragment(data: dict[str, Any], still: str) -> str:
    """HTML of one explorer: `still` is seen until the script runs, and where none does; `data` is what it gets."""
    identity = hashlib.sha256(as_script(data).encode()).hexdigest()[:12]
    given = as_script({"id": identity, "css": CSS, **data})
    script = f'(() => {{\n"use strict";\n\n{SCRIPT}\nstartExplorers(document.currentScript, {given});\n}})();'
    place = f'<div class="attention-explorer" data-explorer="{identity}">{still}</div>'
    return f"{place}\n<script>\n{script}\n</script>"


def as_script(data: Any) -> str:
    """JSON that can stand in a script within a page: no word of a learner can end the script or begin a comment."""
    text = json.dumps(data, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
