"""Turns what an engine is given into splits, and a split into record batches of pyarrow."""

import errno
import glob
import os
import re
import sys
import urllib.parse
from collections.abc import Iterable

import riffle_io
from riffle_io import _remote
from riffle_io._errors import make_error

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
Paths = Path | Iterable[Path] | Iterable[riffle_io.Split]


def file_splits(urls, split_size, decode=None, **rows):
    """Returns the splits of the files that `urls` name, in order. Items that are splits already stay as they are.

    `quote` and `field` make them splits of whole rows.
    """
    several = [urls] if isinstance(urls, (str, bytes, os.PathLike)) else list(urls)
    if several and all(isinstance(item, riffle_io.Split) for item in several):
        return several
    return riffle_io.splits(local_paths(several), split_size=split_size, decode=decode, **rows)


def line_batches(split, name, *, delimiter, keep_delimiter, encoding, decode):
    """Returns the schema and an iterator of the record batches with the lines of a split, or of none if it is None.

    The column has 32-bit offsets, which every engine takes: `binary`, or `string` with `encoding="utf-8"`.
    """
    import pyarrow

    if split is None:
        split, decode = b"", None
    lines = riffle_io.lines(split, delimiter, keep_delimiter, encoding=encoding, decode=decode)
    batches = lines.batches("packed")
    schema = pyarrow.schema([pyarrow.schema(batches).field(0).with_name(name)])
    return schema, (pyarrow.record_batch(batch).rename_columns([name]) for batch in batches)


class Rows:
    """Parses the rows of CSV in splits of whole rows by pyarrow. Fields are text, but for the columns in `types`."""

    def __init__(self, urls, split_size, *, quote, field, header, types):
        self.quote, self.field, self.header = quote.decode(), field.decode(), header
        parts = file_splits(urls, split_size, quote=quote, field=field)
        self.parts = [part for part in parts if part.begin < part.end]
        self.names = self._names() if self.parts else []
        self.types = {name: "string" for name in self.names} | (types or {})
        unknown = self.types.keys() - set(self.names)
        if unknown and self.parts:
            raise ValueError(f"no column {min(unknown)!r}: there are {', '.join(self.names)}")

    def _names(self):
        import csv

        lines = riffle_io.lines(self.parts[0], keep_delimiter=True, encoding="utf-8-sig")
        first = next(csv.reader(lines, delimiter=self.field, quotechar=self.quote))
        return first if self.header else [f"column_{number}" for number in range(1, len(first) + 1)]

    @property
    def schema(self):
        import pyarrow

        return pyarrow.schema([(name, pyarrow.type_for_alias(self.types[name])) for name in self.names])

    def table(self, part):
        """Returns the rows of a split as a Table of pyarrow, or of none if it is None. Each file has the header."""
        from pyarrow import csv, py_buffer

        if part is None:
            return self.schema.empty_table()
        header = int(self.header and part.begin == 0)
        return csv.read_csv(
            py_buffer(riffle_io.values(part, "u1")),
            csv.ReadOptions(column_names=self.names, skip_rows_after_names=header, use_threads=False),
            csv.ParseOptions(delimiter=self.field, quote_char=self.quote, newlines_in_values=True),
            csv.ConvertOptions(column_types=self.schema),
        )


def local_paths(urls):
    """Returns the paths that `urls` name, in order: each is a path, a pattern such as `logs/*.txt` or a URL.

    A name that exists is a path, whatever it contains. The matches of a pattern are sorted. A `file:` URL is a path;
    one of another scheme stays a URL, and fsspec finds what matches its pattern.

    Raises FileNotFoundError for a pattern without a match.
    """
    return [path for url in urls for path in _paths_of(os.fsdecode(url))]


def _paths_of(url):
    if os.path.lexists(url):
        return [url]
    scheme = re.match(r"([a-z][a-z0-9+.-]*):/", url, re.IGNORECASE)
    if scheme and scheme[1].lower() != "file":
        return _remote.matches(url)
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
        raise make_error(errno.ENOENT, f"no file matches '{url}'", url, None, "open")
    return matches
