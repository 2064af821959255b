"""Download real data where they are missing, and count them.

Usage::

    python -m tools.download imdb                 84 MB, into the cache folder
    python -m tools.download multi30k FOLDER      1.3 MB, into a folder of your own
"""

import argparse
import sys
from pathlib import Path

from helpers.data.download import DataError
from helpers.data.imdb import imdb
from helpers.data.multi30k import multi30k


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the command line when left out.

    Returns
    -------
    int
        0, or 1 when the data cannot be had.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.download", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["imdb", "multi30k"])
    parser.add_argument("folder", nargs="?", type=Path, help="the cache folder when left out")
    options = parser.parse_args(arguments)
    try:
        if options.what == "imdb":
            train, test = imdb(options.folder, download=True)
            counts = {"train": len(train), "test": len(test)}
        else:
            counts = {name: len(pairs) for name, pairs in multi30k(options.folder, download=True).items()}
    except DataError as error:
        print(error, file=sys.stderr)
        return 1
    for name, count in counts.items():
        print(f"{name:10} {count:6,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
