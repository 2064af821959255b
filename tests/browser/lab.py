"""A browser, and a JupyterLab of our own on a copy of some notebooks. The tests and the benchmark use both."""

import http.server
import importlib.util
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing leaves this machine
]
LOCAL = ("file:", "data:", "blob:", "http://127.0.0.1")  # how addresses begin that lead to this machine
LONGEST_WAIT = 30_000  # milliseconds; a busy machine is slow, not wrong
LONGEST_START = 180  # seconds for JupyterLab, which on a new machine has its packages to compile first


def what_is_missing() -> str | None:
    """What the browser tests need and this machine lacks, with how to get it; None where nothing is missing."""
    missing = [
        name for name in ("playwright", "jupyterlab", "axe_playwright_python") if importlib.util.find_spec(name) is None
    ]
    if missing:
        return f"no {', '.join(missing)} (pip install -r requirements.txt)"
    if shutil.which("chromium") is None:
        return "no chromium on the path (on Debian: apt-get install chromium)"
    return None


def notebook(cells: list[str]) -> Any:
    """A notebook of these code cells, with the kernel named, so that JupyterLab does not ask."""
    import nbformat

    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    made = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell, id=f"cell-{i}") for i, cell in enumerate(cells)]
    )
    made.metadata["kernelspec"] = kernel
    return made


@contextmanager
def browser() -> Iterator[Any]:
    """The system's Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER_ARGUMENTS)
        yield chromium
        chromium.close()


@contextmanager
def jupyterlab(scratch: Path) -> Iterator[str]:
    """JupyterLab on `scratch`/notebooks, which it may write into; gives its address with a token in it.

    Without the token anyone on this machine could run code as its user. Settings, workspaces and signatures live in
    `scratch`, so that nothing of the user's is read or changed.
    """
    token = secrets.token_urlsafe()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folders = {f"JUPYTER_{name}_DIR": str(scratch / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    folders |= {f"JUPYTERLAB_{name}_DIR": str(scratch / name.lower()) for name in ("SETTINGS", "WORKSPACES")}
    folders["JUPYTER_CONFIG_PATH"] = str(ROOT / "settings")  # as start.py has it
    python_path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    with (scratch / "lab.log").open("w") as log:
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "jupyterlab",
                "--no-browser",
                "--allow-root",
                f"--port={port}",
                "--ServerApp.port_retries=0",
                "--LabApp.expose_app_in_browser=True",
                "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
                f"--ServerApp.root_dir={scratch / 'notebooks'}",
            ],
            env={**os.environ, **folders, "PYTHONPATH": python_path, "JUPYTER_TOKEN": token},  # ps shows the others
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}/?token={token}"
            _wait_for(_within(address, "api"), server, scratch / "lab.log")
            yield address
        finally:
            server.terminate()
            server.wait(timeout=20)


def _within(address: str, path: str) -> str:
    return address.replace("/?", f"/{path}?")


def _wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + LONGEST_START
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


def watched(page: Any) -> Any:
    """Note each complaint in `page.complaints` and each request that would leave the machine in `page.requests`.

    Such a request fails by itself, as the browser knows no other machine. Stopping it here with `page.route` would
    switch the browser's cache off, and JupyterLab's own files are many.
    """
    page.complaints, page.requests = [], []
    page.on("console", lambda message: page.complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.complaints.append(error.stack or str(error)))
    page.on("request", lambda request: None if request.url.startswith(LOCAL) else page.requests.append(request.url))
    return page


def open_notebook(page: Any, address: str, name: str) -> None:
    """Open a notebook by itself and wait until its kernel is idle."""
    page.goto(_within(address, f"doc/tree/{name}"))
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=LONGEST_WAIT)
    wait_until_idle(page)


# MathJax lays an unseen copy of each formula over it, for screen readers. Where a line ends with a formula and the font
# makes the copy wider, JupyterLab lets the paragraph scroll, and axe complains of it at some places of a line only.
NARROW_COPIES = "mjx-assistive-mml { width: 1px !important }"


def open_lab(page: Any, address: str) -> None:
    """Open JupyterLab with nothing in it."""
    page.goto(_within(address, "lab"))
    page.wait_for_function("() => window.jupyterapp", timeout=LONGEST_WAIT)
    page.add_style_tag(content=NARROW_COPIES)
    _awaited(page, "async () => { await jupyterapp.restored; }")


@contextmanager
def opened_in_tab(page: Any, name: str) -> Iterator[Any]:
    """A notebook in a tab, its kernel idle; afterwards the tab is closed without asking, and its kernel ended.

    Gives the tab: locators on it do not see what is in the others.
    """
    _awaited(
        page,
        """async (path) => {
      const tab = await jupyterapp.commands.execute('docmanager:open', { path });
      await tab.context.ready;
      await tab.context.sessionContext.ready;
    }""",
        name,
    )
    wait_until_idle(page)
    try:
        yield page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    finally:
        shut_down(page)
        page.evaluate("() => jupyterapp.shell.currentWidget.dispose()")


def wait_until_idle(page: Any) -> None:
    # The indicator in the notebook's own toolbar turns idle too early; the one in the status bar does not.
    page.wait_for_function(
        "document.querySelector('#jp-main-statusbar')?.textContent.includes('| Idle')", timeout=LONGEST_WAIT
    )


def run_all(page: Any) -> None:
    page.set_default_timeout(LONGEST_WAIT)
    _awaited(page, "() => jupyterapp.commands.execute('notebook:run-all-cells')")
    wait_until_idle(page)


def shut_down(page: Any) -> None:
    """End the notebook's kernel, which otherwise keeps its memory."""
    _awaited(page, "async () => { await jupyterapp.shell.currentWidget.sessionContext.shutdown(); }")


def put_in(page: Any, scheme: str, **media: str) -> None:
    """Make the system light or dark under an open page. What listens to that hears of it in the next frame only."""
    page.emulate_media(color_scheme=scheme, **media)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def _awaited(page: Any, function: str, argument: str | None = None) -> None:
    """Wait for what a function of JavaScript promises, but not for ever, as `page.evaluate` alone does."""
    too_long = f"setTimeout(() => fail(new Error('Nothing came in {LONGEST_WAIT} ms.')), {LONGEST_WAIT})"
    limit = f"new Promise((_, fail) => {too_long})"
    page.evaluate(f"(given) => Promise.race([({function})(given), {limit}])", argument)


# Milliseconds from a key on a slider to the frame after the one in which the new picture is on the page.
SLIDER_TO_PAINTED = """({selector, key}) => new Promise((done) => {
  const box = document.querySelector(selector);
  const before = box.querySelector('img').src;
  const start = performance.now();
  const watch = new MutationObserver(() => {
    const image = box.querySelector('img');
    if (!image || image.src === before) return;
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
  });
  watch.observe(box, { subtree: true, childList: true, attributes: true });
  box.querySelector('.noUi-handle').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
})"""

# Milliseconds from Enter in the box of `explore_text` to the frame after the one in which the new explorer is there.
ENTER_TO_PAINTED = """(text) => new Promise((done) => {
  const box = document.querySelector('.attention-typed input');
  const before = document.querySelector('.attention-explorer');
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
  const start = performance.now();
  const watch = new MutationObserver(() => {
    const now = document.querySelector('.attention-explorer[data-ready]');
    if (!now || now === before) return;
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
  });
  watch.observe(document.body, { subtree: true, childList: true, attributes: true });
  box.dispatchEvent(new Event('change', { bubbles: true }));
})"""

# Milliseconds from pointing at a query to the frame after the one in which its lines are on the page.
HOVER_TO_PAINTED = """(words) => (async () => {
  const root = document.querySelector('.attention-explorer > div').shadowRoot;
  const options = root.querySelectorAll('.queries .word');
  const taken = [];
  for (let i = 0; i < words; i++) {
    const option = options[(i * 5 + 1) % options.length];
    await new Promise((next) => setTimeout(next, 7 * (i % 5)));
    const start = performance.now();
    option.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, screenX: i }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    taken.push(performance.now() - start);
  }
  return taken;
})()"""

# Milliseconds of work from a key on a number of a calculation until all that follows is in its place, and from that key
# to the first moment after the frame that shows it: [work, shown] for each of `changes`.
CHANGE_TO_PAINTED = """(changes) => (async () => {
  const root = document.querySelector('.attention-calculation > div').shadowRoot;
  const number = root.querySelector('tbody td');
  const taken = [];
  for (let i = 0; i < changes; i++) {
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    const key = i % 2 ? 'ArrowUp' : 'ArrowDown';
    number.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: true, bubbles: true }));
    root.querySelector('.card').getBoundingClientRect();
    const work = performance.now() - start;
    await new Promise((done) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(null);
    }));
    taken.push([work, performance.now() - start]);
  }
  return taken;
})()"""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """A folder of pages on this machine; gives its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


# Mark the first and the last text of each look: its colour, size and weight, and all that lies behind it.
MARK_EACH_LOOK = """() => {
  for (const marked of document.querySelectorAll('[data-look]')) delete marked.dataset.look;
  const behind = new Map();
  const ground = (box) => {
    if (!box) return '';
    if (behind.has(box)) return behind.get(box);
    const style = getComputedStyle(box);
    const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode,
                 style.position === 'static' ? '' : style.position].join();
    const above = ground(box.parentElement);
    behind.set(box, above.endsWith(own) ? above : `${above};${own}`);
    return behind.get(box);
  };
  const looks = new Map();
  for (const text of document.body.querySelectorAll('*')) {
    const written = [...text.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (text.shadowRoot) text.dataset.look = 'explorer';
    if (!written && !text.matches('input, textarea, select')) continue;
    if (!text.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(text);
    const look = [style.color, style.fontSize, style.fontWeight, ground(text)].join();
    looks.set(look, [looks.get(look)?.[0] ?? text, text]);
  }
  for (const [first, last] of looks.values()) first.dataset.look = last.dataset.look = 'text';
  return looks.size;
}"""


def hard_to_read(page: Any, axe: str) -> list[str]:
    """Texts with too little contrast, as `violations`.

    Of texts that look the same it asks for two, for axe takes seconds for the thousands of words on a long page.
    """
    assert page.evaluate(MARK_EACH_LOOK) > 0
    return violations(page, axe, "{include: ['[data-look]']}", "{runOnly: ['color-contrast']}")


def violations(page: Any, axe: str, context: str = "document", options: str = "{}") -> list[str]:
    """What axe-core complains of, one line for each kind: the rule, the first place, how many."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe)
    found = page.evaluate(f"() => axe.run({context}, {{resultTypes: ['violations'], preload: false, ...{options}}})")
    return [
        f"{kind['id']} at {len(kind['nodes'])} places, first {kind['nodes'][0]['html'][:200]}"
        for kind in found["violations"]
    ]
