"""Turns what an engine is given into splits, and a split into record batches of pyarrow."""

import errno
import glob
import os
import re
import sys
import urllib.parse
from collections.abc import Iterable
from typing import TYPE_CHECKING

import riffle_io
from riffle_io import _ranges, _riffle
from riffle_io._errors import make_error

if TYPE_CHECKING:
    from riffle_io._riffle import _Decode as Decode
    from riffle_io._riffle import _DialectName as DialectName
else:
    Decode = DialectName = str

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
Paths = Path | Iterable[Path] | Iterable[riffle_io.Split]


def file_splits(urls, split_size, decode="automatic", **rows):
    """Returns the splits of the files that `urls` name, in order. What is a split or memory already stays as it is.

    `rows` are keywords of `riffle_io.rows`, with a `dialect`: they make them splits of whole rows.
    """
    several = [urls] if isinstance(urls, (str, bytes, os.PathLike, riffle_io.Split)) else list(urls)
    return [part for each in several for part in _parts_of(each, split_size, decode, rows)]


def _parts_of(source, split_size, decode, rows):
    if isinstance(source, (riffle_io.Split, memoryview)):
        return [source]
    return riffle_io.splits(local_paths([source]), split_size=split_size, decode=decode, **rows)


def line_batches(split, name, decode="automatic", **how):
    """Returns the schema and an iterator of the record batches with the lines of a split, or of none if it is None.

    The column has 32-bit offsets, which every engine takes: `binary`, or `string` with `encoding="utf-8"`.
    """
    import pyarrow

    if split is None:
        split, decode = b"", "none"
    lines = riffle_io.lines(split, decode=decode, **how)
    batches = lines.batches("packed")
    schema = pyarrow.schema([pyarrow.schema(batches).field(0).with_name(name)])
    return schema, (pyarrow.record_batch(batch).rename_columns([name]) for batch in batches)


def known_type(kind):
    """Returns the type of pyarrow of a column that riffle itself makes of this type, or None if it makes none."""
    import pyarrow

    name = _riffle.column_type(kind)
    return name and pyarrow.schema(riffle_io.columns(b"", {0: name}, threads=1)).field(0).type


class Rows:
    """Reads the rows of CSV in splits of whole rows. Fields are text, but for the columns in `types`."""

    def __init__(self, urls, split_size, *, types=None, null=(), quoted_null=True, bad_rows="fail", header=None, **how):
        self._how = {**how, "header": header is not False}
        self._use = {"null": null, "quoted_null": quoted_null, "bad_rows": bad_rows}
        parts = [part for part in file_splits(urls, split_size, **self._how) if _size_of(part)]
        of_file = {}
        for part in parts if self._how["header"] else parts[:1]:
            if _name_of(part) not in of_file:
                of_file[_name_of(part)] = self._names(part)
        self.names = of_file[_name_of(parts[0])] if parts else []
        self._others = {path: names for path, names in of_file.items() if names != self.names}
        for path, names in self._others.items():
            if lacks := sorted(set(self.names) - set(names)):
                message = f"cannot read '{path}': no column '{lacks[0]}'; the columns are {', '.join(map(repr, names))}"
                raise make_error(errno.EINVAL, message, path, None, "read")
        self.parts = parts if self.names else []
        unknown = set(types or {}) - set(self.names)
        if unknown and parts:
            raise ValueError(f"no column {min(unknown)!r}: there are {', '.join(self.names)}")
        self.types = {name: (types or {}).get(name) for name in self.names}

    def _names(self, part):
        how = {**self._how, "header": False}
        whole = part._replace(begin=0, end=part.size) if _is_file(part) else part
        first = next(riffle_io.rows(whole, encoding="utf-8", **how), [])
        header = first if self._how["header"] else []
        names = []
        for index, name in enumerate(first):  # as riffle_io.columns calls one without a name
            if not header or name in names:
                name = f"f{index}"
                while name in header:
                    name += "_"
            names.append(name)
        return names

    def columns(self, part, types):
        """Returns the columns of a split that `types` lists by their names. An engine casts those of other types."""
        how = {**self._how, "header": self._how["header"] and (not _is_file(part) or part.begin == 0)}
        names = self._others.get(_name_of(part), self.names)
        kinds = {names.index(name): _riffle.column_type(type) or "str" for name, type in types.items()}
        return riffle_io.columns(part, kinds, threads=1, **self._use, **how)

    @property
    def schema(self):
        import pyarrow

        def type_of(kind):
            return known_type(kind) or (kind if isinstance(kind, pyarrow.DataType) else pyarrow.type_for_alias(kind))

        return pyarrow.schema([(name, type_of(kind or "str")) for name, kind in self.types.items()])

    def table(self, part):
        """Returns the rows of a split as a Table of pyarrow, or of none if it is None."""
        import pyarrow
        import pyarrow.compute

        schema = self.schema
        if part is None:
            return schema.empty_table()
        columns = self.columns(part, dict(zip(schema.names, schema.types)))
        table = pyarrow.RecordBatchReader.from_stream(columns).read_all()  # pyarrow.table would import pandas
        for index, field in enumerate(schema):
            column = table.column(index)
            if column.type != field.type:
                column = parsed(_cast, column, field.type, part, field.name)
            table = table.set_column(index, field, column)
        return table


def _cast(text, kind):
    """Returns a column of pyarrow as one of another type. An empty field is null."""
    import pyarrow.compute

    return pyarrow.compute.if_else(pyarrow.compute.equal(text, ""), None, text).cast(kind)


def parsed(parse, text, kind, part, name):
    """Returns `parse(text, kind)`, the values of a column of a split. Raises RiffleError that names the first that is none."""
    try:
        return parse(text, kind)
    except Exception as error:
        parse(text[:0], kind)  # raises if it knows no such type
        right, wrong = 0, len(text)  # `parse` takes the values before the first, and refuses those before the second
        while wrong - right > 1:
            middle = (right + wrong) // 2
            try:
                parse(text[right:middle], kind)
                right = middle
            except Exception:
                wrong = middle
        path, begin = (part.path, part.begin) if _is_file(part) else ("memory", 0)
        place = f"column '{name}' of row {wrong}" + f" of the split at byte {begin}" * (begin != 0)
        message = f"cannot read '{path}': {place} is no {kind}: '{text[right]}'"
        raise make_error(errno.EBADMSG, message, path, None, "read") from error


def _is_file(part):
    return isinstance(part, riffle_io.Split)


def _name_of(part):
    return part.path if _is_file(part) else f"memory at {id(part)}"


def _size_of(part):
    return part.end - part.begin if _is_file(part) else part.nbytes


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
        return _ranges.matches(url)
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
