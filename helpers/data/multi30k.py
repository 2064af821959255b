"""German sentences with their English translations: the captions of Multi30k.

Source: Elliott et al., "Multi30K: Multilingual English-German Image Descriptions" (2016).
"""

import gzip
import zlib
from pathlib import Path

from helpers.data.download import DataError, decoded, download_file, folders_to_try, not_there, reason

URL = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw/"
SPLITS = {"train": "train", "validation": "val", "test": "test_2016_flickr"}  # upstream's names of the files
MD5 = {  # as torchtext 0.9 publishes them (torchtext/datasets/multi30k.py)
    "train.de.gz": "81ff90b99829c0cd4b1b587d394afd39",
    "train.en.gz": "0065d13af80720a55ca8153d126e6627",
    "val.de.gz": "6e0e229eb049e3fc99a1ef02fb2d5f91",
    "val.en.gz": "2b69aa9253948ac9f67e94917272dd40",
    "test_2016_flickr.de.gz": "efd67d314d98489b716b145475101932",
    "test_2016_flickr.en.gz": "ff2c0fcb4893a13bd73414306bc250ae",
}


def multi30k(folder: str | Path | None = None, download: bool = False) -> dict[str, list[tuple[str, str]]]:
    """Read captions in German and English: 29,000 for training, 1,014 for validation, 1,000 of flickr 2016.

    Parameters
    ----------
    folder : str or Path, optional
        Holds `train.de.gz`, `train.en.gz`, `val.*`, `test_2016_flickr.*`, unzipped ones too. Without one the cache
        folder is read; with one it is not.
    download : bool
        Fetch the files that are missing, into `folder` or, without one, into the cache folder.

    Returns
    -------
    dict
        "train", "validation" and "test", each a list of (german, english).

    Raises
    ------
    DataMissing
        There are no files, or no such folder.
    DataError
        A file is missing, broken, not UTF-8, or not as long as its other half.
    """
    names = [f"{stem}.{language}.gz" for stem in SPLITS.values() for language in ("de", "en")]
    places = folders_to_try(folder, "multi30k")
    place = next((place for place in places if any(_of_two(place, name) for name in names)), None)
    if place is None:
        if not download:
            raise not_there("Multi30k's sentences", "multi30k", "1.3 MB", "train.de.gz and its like", folder)
        place = places[0]
    for name in (name for name in names if not _of_two(place, name)):
        if not download:
            raise DataError(
                f"{name} is missing in {place}, where others of its kind are: "
                "fetch it with multi30k(..., download=True), or put it there."
            )
        download_file(URL + name, place / name, MD5[name])
    return {split: _pairs(place, stem) for split, stem in SPLITS.items()}


def _of_two(place: Path, name: str) -> Path | None:
    """Find the zipped file or else the unzipped one."""
    return next((path for path in (place / name, place / name.removesuffix(".gz")) if path.is_file()), None)


def _pairs(place: Path, stem: str) -> list[tuple[str, str]]:
    paths = [path for language in ("de", "en") if (path := _of_two(place, f"{stem}.{language}.gz"))]
    german, english = map(_lines, paths)
    if len(german) != len(english):
        raise DataError(
            f"{paths[0].name} has {len(german)} lines and {paths[1].name} {len(english)}, but each line "
            f"translates the other's: delete both in {place} and download them again."
        )
    return list(zip(german, english, strict=True))


def _lines(path: Path) -> list[str]:
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (EOFError, OSError, zlib.error) as error:
        raise DataError(f"{path} is broken ({reason(error)}): delete it and download it again.") from None
    lines = decoded(data, str(path)).split("\n")  # not splitlines, which also cuts at characters of a sentence
    if not lines[-1]:
        lines.pop()
    if not lines:
        raise DataError(f"{path} is empty: delete it and download it again.")
    return [line.strip() for line in lines]
