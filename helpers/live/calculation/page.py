"""The sheet's HTML: what stands still, the style and the script in one piece, as text."""

import base64
import hashlib
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from helpers.live.page import as_script, joined, styled

HERE = Path(__file__).parent
# In this order: a class must be there before the first one that is made of it.
PARTS = [
    "elements",
    "places",
    "theme",
    "numbers",
    "arithmetic",
    "sums",
    "state",
    "stages",
    "steps",
    "tables",
    "strip",
    "editing",
    "controls",
    "sheet",
    "start",
]
SCRIPT = joined(HERE / "script", PARTS)
CSS = styled(HERE)
# With each sheet a notebook stores the script, so it is packed, comments and all: 28 kB in place of 68. Browsers that
# cannot unpack it, from before 2023, keep the static picture.
WHOLE = f'"use strict";\n\n{SCRIPT}\nstartCalculations(script, given, {as_script(CSS)});\n'
START = """(async (script, given) => {
const packed = Uint8Array.from(atob("%s"), (letter) => letter.charCodeAt(0));
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
new Function("script", "given", await new Response(stream).text())(script, given);
})(document.currentScript, %s);"""


def fragment(data: dict[str, Any], still: str) -> str:
    """HTML of one sheet: `still` is seen until the script runs, and where none does; `data` is what it gets."""
    identity = hashlib.sha256(as_script(data).encode()).hexdigest()[:12]
    script = START % (_packed(WHOLE), as_script({"id": identity, **data}))
    place = f'<div class="attention-calculation" data-calculation="{identity}">{still}</div>'
    return f"{place}\n<script>\n{script}\n</script>"


@cache
def _packed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")
