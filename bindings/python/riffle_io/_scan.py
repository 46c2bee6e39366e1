"""Makes LazyFrames of polars, which read an input batch by batch when they are collected."""

import os

import riffle_io
from riffle_io import _riffle
from riffle_io._files import is_buffer
from riffle_io._splits import _each

TYPE_CHECKING = False  # type checkers take it for true; typing takes long to import
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    import polars

    from riffle_io._riffle import _BadRows, _Decode, _DialectName, _OfRows, _Source, _Sources, _Type


def scan_lines(
    source: "_Source", delimiter: bytes | str = b"\n", keep_delimiter: bool = False, *, encoding: str | None = None,
    max_length: int | None = None, decode: "_Decode" = "automatic",
) -> "polars.LazyFrame":  # fmt: skip
    """Returns the lines of an input as a polars.LazyFrame with the column `line`: binary, or text with
    encoding="utf-8".

    riffle reads about 1 MiB at a time when the frame is collected, and no more than `head` needs. The arguments are
    those of riffle_io.lines. A path or a Split can be collected several times, a file object once.

    Raises ImportError if polars is not installed.
    """
    polars, register = _polars()
    if encoding not in (None, "utf-8"):
        raise ValueError(f'encoding must be "utf-8" or None, not {encoding!r}')
    layout = "view" if not keep_delimiter else "terminated"

    def batches(_names):
        lines = riffle_io.lines(source, delimiter, keep_delimiter, encoding=encoding, max_length=max_length, decode=decode)
        for batch in lines.batches(layout):
            yield polars.DataFrame(batch)

    return register(_source(batches), schema={"line": polars.Binary if encoding is None else polars.String})


def scan_rows(
    source: "_Sources", *, types: "Mapping[str, _Type] | None" = None,
    null: "Sequence[bytes | str]" = (), quoted_null: bool = True, bad_rows: "_BadRows" = "fail", dialect: "_DialectName" = "csv",
    **rows: "Unpack[_OfRows]",
) -> "polars.LazyFrame":  # fmt: skip
    """Returns the rows of a CSV file as a polars.LazyFrame. Fields are text, but for the columns that types names.

    The file is a path or a URL. riffle splits it into whole rows of about 16 MiB, for which it reads the file once,
    and reads the columns that you use of each split when the frame is collected. Bytes, a Split and several of these
    work too. What can be read once only, as a file object, does not: pass it to riffle_io.columns. The keywords are
    those of riffle_io.rows; null, quoted_null and bad_rows are those of riffle_io.columns. A frame names its columns, so there is a header unless header=False; they are then f0, f1 and so on.

    Raises RiffleError if a quote is not closed, and if a field is no value of its type when the frame is collected;
    TypeError for a source that can be read once only; ImportError if polars is not installed.
    """
    polars, register = _polars()
    from riffle_io._engines import Rows, parsed

    use = {"types": types, "null": null, "quoted_null": quoted_null, "bad_rows": bad_rows}
    found = Rows([_again(each) for each in _each(source)], 16 << 20, dialect=dialect, **use, **rows)
    schema = {name: _type_of(kind or "str") for name, kind in found.types.items()}

    def batches(names):
        wanted = {name: schema[name] for name in _known(names, schema)}
        for part in found.parts:
            frame = polars.DataFrame(found.columns(part, wanted))
            frame.columns = list(wanted)
            others = {name: wanted[name] for name, kind in frame.schema.items() if kind != wanted[name]}
            yield frame.with_columns([parsed(_parsed, frame[name], kind, part, name) for name, kind in others.items()])

    return register(_source(batches), schema=schema)


def _type_of(kind):
    """Returns the type of polars of a column: that of what riffle itself makes, if it knows the type."""
    import polars

    if not isinstance(kind, str) and _riffle.column_type(kind) is None:
        return kind
    return polars.DataFrame(riffle_io.columns(b"", {0: kind}, threads=1)).dtypes[0]


def _known(names, schema):
    """Returns the names of the columns to read: all if none are named, and one if it is the rows that are wanted."""
    return schema if names is None else names or list(schema)[:1]


def _again(source):
    """Returns a source of rows that can be read again. Raises TypeError for another one."""
    if isinstance(source, (str, os.PathLike, riffle_io.Split)):
        return source
    if is_buffer(source):
        return memoryview(source)
    kind = type(source).__name__
    raise TypeError(f"source must be what can be read again, a path, a URL, a Split or bytes, not {kind}; read it by riffle_io.columns")


def _parsed(text, kind):
    """Returns a column of text as one of another type, which riffle does not make. An empty field is null."""
    import polars

    given = polars.when(polars.col(text.name) != "").then(polars.col(text.name))
    return text.to_frame().select(given.str.strptime(kind) if kind.is_temporal() else given.cast(kind)).to_series()


def _source(batches):
    """Returns the function of an IO plugin of polars that gives these frames."""

    def give(with_columns, predicate, n_rows, batch_size):
        for frame in batches(with_columns if predicate is None else None):
            if n_rows is not None:
                frame = frame.head(n_rows)
                n_rows -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame.select(with_columns) if with_columns else frame  # of no column, polars wants the number of rows
            if n_rows == 0:
                return

    return give


def _polars():
    try:
        import polars
        from polars.io.plugins import register_io_source
    except ImportError as error:
        raise ImportError("polars is not installed; pip install polars") from error
    return polars, register_io_source
