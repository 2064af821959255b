"""The explorer's HTML: what stands still, the style and the script in one piece, as text."""

import hashlib
from pathlib import Path
from typing import Any

from helpers.live.page import as_script, joined, started, styled

HERE = Path(__file__).parent
# In this order: a class must be there before the first one that is made of it.
PARTS = [
    "elements",
    "fingers",
    "places",
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
SCRIPT = joined(HERE / "script", PARTS)
CSS = styled(HERE)
WHOLE = f'"use strict";\n\n{SCRIPT}\nstartExplorers(script, given, {as_script(CSS)});\n'


def fragment(data: dict[str, Any], still: str) -> str:
    """HTML of one explorer: `still` is seen until the script runs, and where none does; `data` is what it gets."""
    identity = hashlib.sha256(as_script(data).encode()).hexdigest()[:12]
    place = f'<div class="attention-explorer" data-explorer="{identity}">{still}</div>'
    return f"{place}\n{started(WHOLE, {'id': identity, **data})}"
