"""Settings of the Jupyter that start.py opens: what it finds in the folder that JUPYTER_CONFIG_PATH names."""

import platform
from typing import Any

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager


class LessonsAsTheKernelHasThem(AsyncLargeFileManager):
    """Hands out a notebook with this Python's version.

    The kernel writes it into every notebook that is opened, so JupyterLab would mark a lesson as changed that nobody
    has touched, and ask on closing whether to save it. The files hold no version, because readers have different ones.
    """

    async def get(self, path: str, content: bool = True, **options: Any) -> dict[str, Any]:
        """Give a file or folder as Jupyter does, and a notebook with the version; the file stays as it is."""
        model = await super().get(path, content, **options)
        if content and model["type"] == "notebook":
            language = model["content"]["metadata"].get("language_info", {})
            if language.get("name") == "python":
                language.setdefault("version", platform.python_version())
        return model


c = get_config()  # noqa: F821 (Jupyter gives it)
c.ServerApp.contents_manager_class = LessonsAsTheKernelHasThem
