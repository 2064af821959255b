"""How a widget is shown, in the words that every version of ipywidgets since 7 understands."""

from typing import Any


def widget_view(widget: Any, instead: str) -> dict[str, Any]:
    """Give what shows a widget where its kernel runs, and a text where none does.

    `ipywidgets` 8 makes this itself and version 7, which Colab has, only displays: so it is made here.

    Parameters
    ----------
    widget : ipywidget
        To be shown.
    instead : str
        The text.

    Returns
    -------
    dict of str to Any
        By MIME type, for `IPython.display.display(..., raw=True)`.
    """
    reference = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    return {"application/vnd.jupyter.widget-view+json": reference, "text/plain": instead}
