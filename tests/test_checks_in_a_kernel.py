"""Whatever a learner runs in a notebook ends within three seconds, and leaves the kernel as it was."""

import os
import sys
import threading
from textwrap import indent

import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from helpers.checks import progress as progress_file

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="on other systems a check runs in the kernel itself")

LONGEST = 3.0  # seconds that a check may take
SHORT = "time_limit.SECONDS, apart.GRACE = 0.3, 0.3"
REAL = "time_limit.SECONDS, apart.GRACE = 2.0, 0.5"
RIGHT = "return torch.softmax(scores, -1)"

START = """\
import ctypes, io, os, random, re, shutil, subprocess, sys, threading, time
import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import HTML, display
from helpers import check
from helpers.checks import apart, time_limit

open_files = len(os.listdir("/proc/self/fd"))
kept, model, calls = 41, torch.arange(6.0), []
square = torch.randn(600, 600, requires_grad=True)
torch.set_num_threads(2)
(square @ square).sum().backward()  # the threads of OpenMP and of autograd are there from now on

def state():
    return {
        "modes": (torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_num_threads(), sys.getrecursionlimit()),
        "printing": (torch._tensor_str.get_printoptions(), np.get_printoptions()),
        "seeds": (torch.get_rng_state().sum().item(), str(np.random.get_state()), random.getstate()),
        "environment": dict(os.environ), "folder": os.getcwd(), "files": os.listdir(), "path": list(sys.path),
        "figures": plt.get_fignums(), "threads": sorted(thread.name for thread in threading.enumerate()),
        "variables": (kept, model.tolist(), calls), "many files": len(os.listdir("/proc/self/fd")) > open_files + 5,
    }

def seconds_of(name, function):
    start = time.perf_counter()
    verdict = check(name, function)
    print(round(time.perf_counter() - start, 3), verdict.status, verdict.mistake)
    print(verdict)
"""


class Notebook:
    """A kernel, and what its cells show."""

    def __init__(self, folder, environment):
        self.manager = KernelManager()
        self.manager._kernel_spec = KernelSpec(
            argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], language="python"
        )
        self.manager.start_kernel(cwd=str(folder), env=environment)
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def run(self, code):
        """Run a cell, and give all that it shows as text; an error is a failure of the test."""
        asked, shown = self.client.execute(code), []
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") != asked:
                continue
            kind, content = message["msg_type"], message["content"]
            assert kind != "error", "\n".join(content["traceback"])
            if kind == "status" and content["execution_state"] == "idle":
                return "".join(shown)
            if kind not in ("status", "execute_input"):
                shown.append(content.get("text") or content.get("data", {}).get("text/plain") or kind)

    def check(self, body, name="softmax"):
        """Check a function with this body; give the seconds, the verdict in two words, and all that is shown."""
        shown = self.run(f"def function(scores):\n{indent(body, '    ')}\nseconds_of({name!r}, function)")
        first, _, rest = shown.partition("\n")
        seconds, _, word = first.partition(" ")
        return float(seconds), word, rest

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebook")
    solved = tmp_path_factory.mktemp("solved") / "progress.json"
    made = Notebook(folder, {**os.environ, progress_file.PLACE: str(solved)})
    made.run(START)
    made.run("before = state()")
    yield made
    made.close()


@pytest.fixture(autouse=True)
def nothing_is_left(notebook):
    notebook.run(SHORT)
    yield
    left = notebook.run("after = state(); print([(before[k], after[k]) for k in after if before[k] != after[k]])")
    assert left == "[]\n"


ENDLESS = {
    "a sum within C": ("return sum(range(10**12))", "endless"),
    "a search within C": ("return re.match(r'(a+)+$', 'a' * 40 + 'b')", "endless"),
    "one large product": ("return torch.ones(9000, 9000) @ torch.ones(9000, 9000)", "endless"),
    "a large power": ("return 10 ** 10 ** 8", "endless"),
    "products in a loop": ("while True:\n    scores = torch.ones(500, 500) @ torch.ones(500, 500)", "endless"),
    "long texts": ("return 'a' * 10**10 == 'b' * 10**10", "error|memory"),
    "a sleep": ("time.sleep(60)", "waiting"),
    "a sleep that swallows": ("while True:\n    try:\n        time.sleep(60)\n    except:\n        pass", "waiting"),
    "a loop that swallows": (
        "while True:\n    try:\n        scores = scores + 1\n    except BaseException:\n        continue",
        "endless",
    ),
    "a finally that goes on": ("while True:\n    try:\n        pass\n    finally:\n        continue", "endless"),
    "signals ignored": (
        "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True:\n    pass",
        "endless",
    ),
    "a lock": ("lock = threading.Lock()\nlock.acquire()\nlock.acquire()", "waiting"),
    "a thread waited for": (
        "def work():\n    while 1:\n        pass\nother = threading.Thread(target=work)\nother.start()\nother.join()",
        "endless|waiting",
    ),
    "a pipe that stays empty": ("return os.read(os.pipe()[0], 1)", "waiting"),
    "a program waited for": ("return subprocess.run(['sleep', '60'])", "waiting"),
    "printing": ("while True:\n    print('here')", "endless"),
    "a list that grows": ("rows = []\nwhile True:\n    rows.append(torch.ones(10_000_000))", "memory|endless"),
    "a file that grows": (
        "with open('large', 'wb') as file:\n    while True:\n        file.write(bytes(1 << 20))",
        "error|endless",
    ),
    "recursion": ("return function(scores)", "recursion"),
    "recursion without a limit": (
        "sys.setrecursionlimit(10**9)\ndef deeper(n):\n    return [deeper(n + 1) for _ in range(1)]\nreturn deeper(0)",
        "crash|memory|endless|recursion|error",
    ),
    "copies of itself": ("for _ in range(3):\n    os.fork()\ntime.sleep(60)", "waiting|endless"),
}


@pytest.mark.parametrize(("body", "mistakes"), ENDLESS.values(), ids=ENDLESS)
def test_whatever_does_not_end_is_ended(notebook, body, mistakes):
    seconds, word, shown = notebook.check(body)
    expected = [f"Not yet {mistake}" for mistake in mistakes.split("|")]
    assert word in expected or "keep this computer busy" in shown, shown
    assert seconds < LONGEST and len(shown) < 2000


@pytest.mark.parametrize("what", ["a sum within C", "a sleep that swallows"])
def test_the_real_limit_is_kept(notebook, what):
    notebook.run(REAL)
    seconds, _, shown = notebook.check(ENDLESS[what][0])
    assert 1.9 < seconds < LONGEST
    busy = "keep this computer busy" in shown
    assert busy or ("stopped after more than 2 seconds" in shown and "in your code: line" in shown)


ENDS_PYTHON = {
    "an exit": ("sys.exit()", "exit"),
    "an exit at once": ("os._exit(0)", "exit"),
    "memory read by hand": ("ctypes.string_at(0)", "crash"),
    "an abort": ("os.abort()", "crash"),
    "a killer of itself": ("os.kill(os.getpid(), 9)", "memory"),
    "every file closed": ("os.closerange(0, 1000)", "exit"),
    "a word in our pipe": (
        "for file in range(3, 200):\n    try:\n        os.write(file, b'{}\\n')\n    except OSError:\n        pass",
        "no-return",
    ),
}


@pytest.mark.parametrize(("body", "mistake"), ENDS_PYTHON.values(), ids=ENDS_PYTHON)
def test_whatever_ends_python_ends_only_the_check(notebook, body, mistake):
    notebook.run(REAL)  # within the short limit a busy computer may not even begin
    seconds, word, shown = notebook.check(body)
    assert word == f"Not yet {mistake}" and seconds < LONGEST, shown


LEAVES = {
    "threads": "for _ in range(3):\n    threading.Thread(target=time.sleep, args=(60,)).start()",
    "a program": "subprocess.Popen(['sleep', '61.5'])",
    "figures": "plt.figure()\nif len(scores) == 40:\n    plt.show()",
    "something displayed": "display(HTML('<b>here</b>'))",
    "print options": "torch.set_printoptions(precision=1)\nnp.set_printoptions(precision=1)",
    "files": "open('left.txt', 'w').write('here')\nos.makedirs('left', exist_ok=True)",
    "no folder": "shutil.rmtree(folder := os.getcwd())\nos.mkdir(folder)\nos.chdir(folder)",
    "another folder": "os.chdir('/')",
    "another environment": "os.environ.clear()\nos.environ['LEFT'] = '1'",
    "other seeds": "torch.manual_seed(1)\nnp.random.seed(1)\nrandom.seed(1)",
    "more threads for torch": (
        "torch.set_num_threads(2)\n"
        "if len(scores) == 40:\n"
        "    large = torch.ones(900, 900, requires_grad=True)\n"
        "    (large @ large).sum().backward()"
    ),
    "another variable": "global kept\nkept = 0\nmodel.zero_()\ncalls.append(1)",
    "an empty path": "sys.path.clear()",
    "output closed": "os.closerange(1, 3)\nsys.stdout = None",
}


@pytest.mark.parametrize("body", LEAVES.values(), ids=LEAVES)
def test_nothing_is_left_by_a_right_function(notebook, body):
    notebook.run(REAL)
    seconds, word, shown = notebook.check(f"{body}\n{RIGHT}")
    assert word == "Right None" and seconds < LONGEST, shown
    assert shown.startswith("\u2713 Right") and "<b>here" not in shown and "display_data" not in shown
    left = notebook.run("print(subprocess.run(['pgrep', '-f', 'sleep 61.5'], capture_output=True, text=True).stdout)")
    assert left.strip() == ""


def test_print_is_still_shown_in_the_verdict(notebook):
    notebook.run(REAL)
    _, word, shown = notebook.check(f"print('looking')\n{RIGHT}")
    assert word == "Right None" and shown.count("looking") == 1 and "your function printed: looking" in shown


def test_the_learners_key_ends_a_check_that_swallows_it(notebook):
    notebook.run(REAL)
    body = "while True:\n    try:\n        time.sleep(60)\n    except KeyboardInterrupt:\n        pass"
    timer = threading.Timer(0.7, notebook.manager.interrupt_kernel)
    timer.start()
    seconds, word, shown = notebook.check(body)
    timer.join()
    assert word == "Not yet interrupted" and seconds < 2 and "Run the cell again" in shown
