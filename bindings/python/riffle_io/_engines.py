"""Turns what an engine is given into splits, and a split into record batches of pyarrow."""

import glob
import os
import re
import sys
import urllib.parse
from collections.abc import Iterable

import riffle_io

Path = str | bytes | os.PathLike
Paths = Path | Iterable[Path] | Iterable[riffle_io.Split]


def file_splits(urls, split_size, decode=None):
    """Returns the splits of the files that `urls` name, in order. Items that are splits already stay as they are."""
    several = [urls] if isinstance(urls, Path) else list(urls)
    if several and all(isinstance(item, riffle_io.Split) for item in several):
        return several
    return riffle_io.splits(local_paths(several), split_size=split_size, decode=decode)


def line_batches(split, name, *, delimiter, keep, encoding, decode):
    """Returns the schema and an iterator of the record batches with the lines of a split, or of none if it is None.

    The column has 32-bit offsets, which every engine takes: `binary`, or `string` with `encoding="utf-8"`.
    """
    import pyarrow

    if split is None:
        split, decode = b"", None
    lines = riffle_io.lines(split, delimiter, keep, encoding=encoding, decode=decode)
    batches = lines.batches("packed")
    schema = pyarrow.schema([pyarrow.schema(batches).field(0).with_name(name)])
    return schema, (pyarrow.record_batch(batch).rename_columns([name]) for batch in batches)


def local_paths(urls):
    """Returns the paths that `urls` name, in order: each is a path, a pattern such as `logs/*.txt` or a `file:` URL.

    A name that exists is a path, whatever it contains. The matches of a pattern are sorted.

    Raises ValueError for the URL of another scheme, FileNotFoundError for a pattern without a match.
    """
    return [path for url in urls for path in _paths_of(os.fsdecode(url))]


def _paths_of(url):
    if os.path.lexists(url):
        return [url]
    scheme = re.match(r"([a-z][a-z0-9+.-]*):/", url, re.IGNORECASE)
    if scheme and scheme[1].lower() != "file":
        raise ValueError(f"cannot read '{url}': riffle_io reads paths; mount the storage on each machine")
    if scheme:
        path = url[len("file:") :]  # by hand, as people write '#' and '?' of a name as they are
        if path.startswith("//"):
            host, _, path = path[2:].partition("/")
            if host not in ("", "localhost"):
                raise ValueError(f"cannot read '{url}': a file: URL cannot name a machine")
            path = "/" + path
        return _paths_of(urllib.parse.unquote(path, sys.getfilesystemencoding(), "surrogateescape"))
    if not glob.has_magic(url):
        return [url]
    matches = sorted(glob.glob(url, recursive=True))
    if not matches:
        raise FileNotFoundError(f"no file matches '{url}'")
    return matches
