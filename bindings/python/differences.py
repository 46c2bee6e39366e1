"""Shows where the engines' own readers of text change records; docs/scaling.md holds the table it prints.

    python bindings/python/differences.py [dask] [ray] [spark] [polars]

It runs the readers of the engines that you name, by default of all that are installed. A reader that no longer
does what its row says ends the script with status 1.
"""

import importlib.util
import logging
import os
import sys
import tempfile

LONE_CR, CRLF, EMPTY = b"a\rb\n", b"a\r\n", b"a\n\nb\n"
SEPARATOR, FORM_FEED = "a\u2028b\n".encode(), b"a\x0cb\n"
BAD_UTF8 = b"a\xffb\n"
PROC = "/proc/cpuinfo"


def dask_rows(path):
    import dask.bag

    def read(data, **options):
        return dask.bag.read_text(path(data), **options).compute(scheduler="sync")

    call = "`dask.bag.read_text(p)`"
    yield call, LONE_CR, ["a\n", "b\n"], read(LONE_CR)
    yield call, CRLF, ["a\n"], read(CRLF)
    yield call, BAD_UTF8, "UnicodeDecodeError", outcome(read, BAD_UTF8)
    yield call, PROC, "OSError", outcome(read, PROC)
    yield "`dask.bag.read_text(p, blocksize=64)`", b"", "ValueError", outcome(read, b"", blocksize=64)


def ray_rows(path):
    import ray

    if not ray.is_initialized():
        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.disable(logging.CRITICAL)

    def read(data):
        return [row["text"] for row in ray.data.read_text(path(data)).take_all()]

    call = "`ray.data.read_text(p)`"
    yield call, LONE_CR, ["a", "b"], read(LONE_CR)
    yield call, SEPARATOR, ["a", "b"], read(SEPARATOR)
    yield call, FORM_FEED, ["a", "b"], read(FORM_FEED)
    yield call, EMPTY, ["a", "b"], read(EMPTY)
    yield call, BAD_UTF8, "UnicodeDecodeError", outcome(read, BAD_UTF8)


def spark_rows(path):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "OFF").getOrCreate()

    def read(data):
        return [row.value for row in session.read.text(path(data)).collect()]

    call = "`spark.read.text(p)`"
    yield call, LONE_CR, ["a", "b"], read(LONE_CR)
    yield call, CRLF, ["a"], read(CRLF)
    yield call, BAD_UTF8, ["a\ufffdb"], read(BAD_UTF8)
    yield call, PROC, [], read(PROC)


def polars_rows(path):
    import polars

    def read(data):
        return polars.read_lines(path(data)).to_series().to_list()

    call = "`polars.read_lines(p)`"
    yield call, CRLF, ["a"], read(CRLF)
    yield call, BAD_UTF8, "ComputeError", outcome(read, BAD_UTF8)
    yield call, PROC, [], read(PROC)


READERS = {"dask": dask_rows, "ray": ray_rows, "pyspark": spark_rows, "polars": polars_rows}


def outcome(read, data, **options):
    """Returns what `read` returns, or the name of the exception it throws."""
    try:
        return read(data, **options)
    except Exception as error:  # noqa: BLE001
        return type(getattr(error, "cause", None) or error).__name__


def shown(value):
    """Returns a file's bytes, its path, its records or an exception as a cell of the table."""
    if isinstance(value, str):
        return f"`{value}`"
    if isinstance(value, list) and not value:
        return "no records"
    if isinstance(value, bytes):
        return f"`{value!r}`" if value else "an empty file"
    return "`" + ", ".join(ascii(record) for record in value) + "`"


def rows(names):
    """Yields for each difference: the row of the table, and whether the reader does what the row says."""
    with tempfile.TemporaryDirectory() as folder:

        def path(data):
            if isinstance(data, str):
                return data
            name = os.path.join(folder, data.hex() or "empty")
            with open(name, "wb") as file:
                file.write(data)
            return name

        for name in names:
            for call, data, stated, given in READERS[name](path):
                lines = [] if isinstance(data, str) else data.split(b"\n")[:-1]
                right = f"{len(lines)} record{'s' * (len(lines) != 1)}" if data != PROC else "its lines"
                yield f"| {call} | {shown(data)} | {right} | {shown(stated)} |", stated == given, given


def main(wanted):
    names = ["pyspark" if name == "spark" else name for name in wanted]
    names = names or [name for name in READERS if importlib.util.find_spec(name)]
    changed = 0
    for row, same, given in rows(names):
        print(row)
        if not same:
            changed += 1
            print(f"differences.py: the reader now gives {given!r}", file=sys.stderr)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
