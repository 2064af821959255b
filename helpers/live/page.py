"""What is live as HTML: what stands still, the style and the script in one piece, as text or as a page of its own."""

import base64
import html
import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SHARED = HERE / "script"  # parts that more than one script is made of


class Live:
    """What answers the hand, as a fragment of HTML to show in a cell or to save as a page.

    Attributes
    ----------
    html : str
        The fragment: a static picture, and the script that puts what is live in its place. The same input gives the
        same text.
    alt : str
        What the static picture shows, in words.
    """

    def __init__(self, fragment: str, alt: str, title: str) -> None:
        self.html = fragment
        self.alt = alt
        self._title = title

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write a page that opens from disk in any browser, with the network off.

        Parameters
        ----------
        path : str or Path
            Where to write it.
        overwrite : bool, default False
            Whether to replace a file that is there already.

        Returns
        -------
        Path
            Where it was written.

        Raises
        ------
        FileExistsError
            There is a file already, and `overwrite` is False.
        """
        path = Path(path)
        if path.exists() and not overwrite:
            raise FileExistsError(f"{path} exists already: give another name, or overwrite=True.")
        title = html.escape(self._title)
        path.write_text(
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            "<style>:root { color-scheme: light dark; } body { font-family: sans-serif; margin: 1rem; }\n"
            "h1 { overflow-wrap: anywhere; }</style>\n"
            f"</head>\n<body>\n<main>\n<h1>{title}</h1>\n{self.html}\n</main>\n</body>\n</html>\n",
            encoding="utf-8",
        )
        return path

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.alt}"


def joined(folder: Path, parts: list[str]) -> str:
    """One classic script of the parts in a folder and of those that are shared, as they can be read there.

    No loader and no module works in every place that shows a notebook.
    """
    own = {path.stem: path for path in folder.glob("*.js")}
    shared = {path.stem: path for path in SHARED.glob("*.js")}
    return "\n".join((shared | own)[part].read_text(encoding="utf-8") for part in parts)


def styled(folder: Path) -> str:
    """The style in a folder, below the one that is shared, which it refines."""
    return "\n".join(path.read_text(encoding="utf-8") for path in (HERE / "style.css", folder / "style.css"))


# With each explorer and sheet a notebook stores the script, so it is packed, comments and all: 12 kB in place of 40 for
# an explorer. Browsers that cannot unpack it, from before 2023, keep the static picture.
START = """(async (script, given) => {
const packed = Uint8Array.from(atob("%s"), (letter) => letter.charCodeAt(0));
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
new Function("script", "given", await new Response(stream).text())(script, given);
})(document.currentScript, %s);"""


def started(script: str, given: dict[str, Any]) -> str:
    """A `<script>` that unpacks another one and runs it; that one knows its element and what it gets as `given`."""
    return f"<script>\n{START % (_packed(script), as_script(given))}\n</script>"


@cache
def _packed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def as_script(data: Any) -> str:
    """JSON that can stand in a script within a page: no word of a learner can end the script or begin a comment."""
    text = json.dumps(data, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
