"""Time the course's code against references.

python -m benchmarks [subject ...] [--json FILE]
"""

import argparse
import dataclasses
import importlib
import json
import pkgutil
import sys
from pathlib import Path

import torch

import benchmarks
from benchmarks import timing

# interaction.py is run by itself: it needs a browser, and its figures are no ratios. language_model.py is a part of
# decoding, translation.py of training, and annotated.py of translation.py.
NO_SUBJECTS = {"timing", "interaction", "language_model", "translation", "annotated", "__main__"}
SUBJECTS = sorted({module.name for module in pkgutil.iter_modules(benchmarks.__path__)} - NO_SUBJECTS)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the process when left out.

    Returns
    -------
    int
        The exit status, 0.
    """
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Time the course's code against references."
    )
    parser.add_argument("subjects", nargs="*", metavar="subject", help=f"{', '.join(SUBJECTS)}; all when left out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE, too")
    parser.add_argument("--threads", type=int, help="for PyTorch, where a subject does not choose them itself")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, once: shows that it runs, not how fast")
    options = parser.parse_args(arguments)
    if unknown := set(options.subjects) - set(SUBJECTS):
        parser.error(f"there is no subject {min(unknown)!r}, but {', '.join(SUBJECTS)}")
    torch.set_num_threads(options.threads or torch.get_num_threads())
    machine = timing.machine()
    print("\n".join(f"{name:11} {value}" for name, value in machine.items()), flush=True)
    if options.quick:
        print("quick: the sizes are tiny, and the figures say nothing")
    print("\n" + timing.HEADER, flush=True)
    measured = []
    for subject in options.subjects or SUBJECTS:
        for figure in importlib.import_module(f"benchmarks.{subject}").figures(options.quick):
            measured.append({"subject": subject} | dataclasses.asdict(figure) | {"met": figure.met})
            print(timing.line(subject, figure), flush=True)
    if options.json:
        result = {"quick": options.quick, "machine": machine, "figures": measured}
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
