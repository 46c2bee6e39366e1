"""Makes LazyFrames of polars, which read an input batch by batch when they are collected."""

import riffle_io

TYPE_CHECKING = False  # type checkers take it for true; typing takes long to import
if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars

    from riffle_io._riffle import _Source, _Sources


def scan_lines(
    source: "_Source",
    delimiter: bytes = b"\n",
    keep_delimiter: bool = False,
    *,
    encoding: str | None = None,
    max_length: int | None = None,
    decode: str | None = None,
) -> "polars.LazyFrame":
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

    def batches():
        lines = riffle_io.lines(source, delimiter, keep_delimiter, encoding=encoding, max_length=max_length, decode=decode)
        for batch in lines.batches(layout):
            yield polars.DataFrame(batch)

    return register(_source(batches), schema={"line": polars.Binary if encoding is None else polars.String})


def scan_rows(
    source: "_Sources",
    *,
    quote: bytes = b'"',
    field: bytes = b",",
    header: bool = True,
    types: "Mapping[str, polars.DataType | type[polars.DataType]] | None" = None,
) -> "polars.LazyFrame":
    """Returns the rows of a CSV file as a polars.LazyFrame. Fields are text, but for the columns that types names.

    The file is a path or a URL. riffle splits it into whole rows of about 16 MiB, for which it reads the file once.
    polars parses each split when the frame is collected. Without header, the columns are column_1, column_2 and so on.

    Raises RiffleError if a quote is not closed, ImportError if polars is not installed.
    """
    polars, register = _polars()
    parts = [part for part in riffle_io.splits(source, 16 << 20, quote=quote, field=field) if part.begin < part.end]
    how = {"separator": field.decode(), "quote_char": quote.decode(), "infer_schema": False}

    def parse(part, **more):
        return polars.read_csv(bytes(riffle_io.values(part, "u1")), has_header=False, **how, **more)

    first = parse(parts[0], n_rows=1) if parts else polars.DataFrame()
    names = first.row(0) if header and parts else first.columns
    schema = {name: (types or {}).get(name, polars.String) for name in names}
    unknown = [name for name in types or {} if name not in schema]
    if unknown:
        raise ValueError(f"no column {unknown[0]!r}: there are {', '.join(names)}")

    def batches():
        for part in parts:
            yield parse(part, schema=schema, skip_rows=int(header and part.begin == 0))

    return register(_source(batches), schema=schema)


def _source(batches):
    """Returns the function of an IO plugin of polars that gives these frames."""

    def give(with_columns, predicate, n_rows, batch_size):
        for frame in batches():
            if n_rows is not None:
                frame = frame.head(n_rows)
                n_rows -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if with_columns is None else frame.select(with_columns)
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
