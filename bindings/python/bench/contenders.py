"""What `race` measures: the tasks, and for each task riffle_io and what people use instead.

A contender imports what it needs when it is first called, and that call is not measured.
"""

import array
import gzip
import mmap
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import riffle_io
import tables

ROOT = Path(__file__).resolve().parents[3]
TOOL, PEERS = ROOT / "build/release/riffle", ROOT / "bench/peers"  # the tool, and where the driver of races is


@dataclass(frozen=True)
class Contender:
    name: str
    run: Callable[[str], object]  # what is measured: takes a path, returns a result
    answer: Callable[[str, object], object]  # of a path and a result: what all contenders of a task agree on
    wanted: float | None = None  # how many times as fast riffle_io should be; None for riffle_io itself


# Loops over lines. Contenders differ in newlines that they keep, and in a last empty piece that they give.


def looping(name: str, iterate: Callable[[str], Iterable], wanted: float | None = None) -> Contender:
    def run(path: str) -> None:
        for _ in iterate(path):
            pass

    def answer(path: str, _: None) -> tuple[int, int]:
        lines, size = 0, 0
        for line in iterate(path):
            text = (line.encode() if isinstance(line, str) else bytes(line)).rstrip(b"\n")
            lines, size = lines + bool(text), size + len(text)
        return lines, size

    return Contender(name, run, answer, wanted)


def measuring(iterate: Callable[[str], Iterable]) -> Callable[[str], None]:
    """Returns a loop that takes the length of each line, as the least that a program does with it."""

    def run(path: str) -> None:
        for line in iterate(path):
            len(line)

    return run


def text_lines(path: str) -> Iterable[str]:
    return riffle_io.lines(path, encoding="utf-8")


def open_bytes(path: str) -> Iterable[bytes]:
    return open(path, "rb")


def count_of(iterate: Callable[[str], Iterable]) -> Callable[[str, object], int]:
    return lambda path, _: sum(1 for _ in iterate(path))


def mapped_readline(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        return iter(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ).readline, b"")


def zilla(path: str):
    import stringzilla

    return stringzilla.Str(stringzilla.File(path))


def packed(path: str) -> str:
    """Returns the path of the input as gzip packs it, which the first call makes."""
    if not os.path.exists(f"{path}.gz"):
        with open(f"{path}.gz.part", "wb") as file:
            subprocess.run(["gzip", "-c", path], stdout=file, check=True)
        os.rename(f"{path}.gz.part", f"{path}.gz")
    return f"{path}.gz"


def igzip_lines(path: str):
    from isal import igzip

    return igzip.open(packed(path))


# Columns of Arrow.


def riffle_column(layout: str) -> Callable[[str], object]:
    def column(path: str):
        import pyarrow

        return pyarrow.table(riffle_io.lines(path).batches(layout))[0]

    return column


def csv_options() -> dict:
    import pyarrow
    from pyarrow import csv

    return {
        "read_options": csv.ReadOptions(column_names=["line"], use_threads=False),
        "parse_options": csv.ParseOptions(delimiter="\x01", quote_char=False, ignore_empty_lines=False),
        "convert_options": csv.ConvertOptions(column_types={"line": pyarrow.binary()}),
    }


def csv_column(path: str):
    from pyarrow import csv

    return csv.read_csv(path, **csv_options())[0]


def riffle_stream(path: str) -> int:
    return sum(map(len, riffle_io.lines(path).batches("view")))


def csv_stream(path: str) -> int:
    from pyarrow import csv

    with csv.open_csv(path, **csv_options()) as batches:
        return sum(map(len, batches))


def polars_column(path: str):
    import polars

    return polars.read_lines(path).to_series()


def polars_readlines_column(path: str):
    import polars_readlines

    return polars_readlines.read_lines(path).to_series()


def column_answer(_: str, column) -> tuple[int, bytes]:
    last = column[-1]
    last = last if isinstance(last, str) else last.as_py()
    return len(column), (last if isinstance(last, bytes) else last.encode()).rstrip(b"\n")


def matching(column: Callable[[str], object]) -> Callable[[str], int]:
    def run(path: str) -> int:
        import pyarrow.compute

        return pyarrow.compute.sum(pyarrow.compute.match_substring(column(path), b"lmno")).as_py()

    return run


# Whole answers.


def tool(option: str) -> Callable[[str], int]:
    def run(path: str) -> int:
        return int(subprocess.check_output([TOOL, "wc", "--threads=1", option, path]).split()[0])

    return run


def offsets_by_loop(path: str) -> array.array:
    offsets, offset = array.array("Q"), 0
    with open(path, "rb") as file:
        for line in file:
            offsets.append(offset)
            offset += len(line)
    offsets.append(offset)
    return offsets


def offsets_by_lineindex(path: str):
    import lineindex

    Path(f"{path}.idx").unlink(missing_ok=True)  # a file that it would take instead of reading
    return lineindex.LineIndex(path)


def same(_: str, result: object) -> object:
    return result


def some_lines(path: str, result) -> list[bytes]:
    """Three lines by the index."""
    if isinstance(result, array.array):
        text = Path(path).read_bytes()
        return [text[result[n] : result[n + 1]].rstrip(b"\n") for n in (0, 1, 100)]
    lines = [result[n] for n in (0, 1, 100)]
    return [(line.encode() if isinstance(line, str) else bytes(line)).rstrip(b"\n") for line in lines]


THREADS = {"price of CSV": tables.THREADS}  # of each contender; 1 for the other tasks

TASKS = {
    "lines": [
        looping("for line in riffle_io.lines(p)", riffle_io.lines),
        looping("for line in open(p, 'rb')", open_bytes, 1.8),
        looping("for line in iter(mmap.readline, b'')", mapped_readline, 1.4),
        looping("for line in StringZilla's split_iter", lambda path: zilla(path).split_iter("\n"), 2),
        looping("for line in StringZilla's splitlines", lambda path: zilla(path).splitlines(), 1.3),
    ],
    "lines of text": [
        looping("for line in riffle_io.lines(p, encoding='utf-8')", text_lines),
        looping("for line in open(p)", open, 2),
    ],
    "length of each line": [
        Contender("for line in riffle_io.lines(p): len(line)", measuring(riffle_io.lines), count_of(riffle_io.lines)),
        Contender("for line in open(p, 'rb'): len(line)", measuring(open_bytes), count_of(open_bytes), 1.8),
    ],
    "length of each line of text": [
        Contender("for line in riffle_io.lines(p, encoding='utf-8'): len(line)", measuring(text_lines), count_of(text_lines)),
        Contender("for line in open(p): len(line)", measuring(open), count_of(open), 2),
    ],
    "lines of gzip": [
        looping("for line in riffle_io.lines(p, decode='gzip')", lambda path: riffle_io.lines(packed(path), decode="gzip")),
        looping("for line in isal.igzip.open(p)", igzip_lines, 2.5),
        looping("for line in gzip.open(p)", lambda path: gzip.open(packed(path)), 6),
    ],
    "column": [
        Contender("riffle_io.lines(p).batches('view')", riffle_column("view"), column_answer),
        Contender("polars_readlines.read_lines", polars_readlines_column, column_answer, 1.5),
        Contender("polars.read_lines", polars_column, column_answer, 4),
        Contender("pyarrow.csv.read_csv", csv_column, column_answer, 6),
    ],
    "batches": [
        Contender("for batch in riffle_io.lines(p).batches('view')", riffle_stream, same),
        Contender("for batch in pyarrow.csv.open_csv", csv_stream, same, 6),
    ],
    "match": [
        Contender("batches('terminated'), match_substring", matching(riffle_column("terminated")), same),
        Contender("pyarrow.csv.read_csv, match_substring", matching(csv_column), same, 3),
    ],
    "price of CSV": [
        Contender("riffle_io.columns(p, {'price': 'f64'}), two threads", tables.riffle_price, tables.price_answer),
        Contender("polars.read_csv(p, columns=['price'])", tables.polars_price, tables.price_answer, 1.5),
        Contender("pyarrow.csv.read_csv, include_columns", tables.pyarrow_price, tables.price_answer, 1.5),
        Contender("pandas.read_csv(p, usecols=['price'])", tables.pandas_price, tables.price_answer, 8),
    ],
    "rows of CSV": [
        Contender("for row in riffle_io.rows(p, encoding='utf-8')", tables.rows("utf-8"), same),
        Contender("for row in riffle_io.rows(p)", tables.rows(None), same, 0.5),
        Contender("for row in csv.reader(open(p))", tables.csv_rows, same, 1.5),
    ],
    "words": [
        Contender("Counter(riffle_io.words(p))", tables.riffle_words, tables.some_words),
        Contender("for line in open(p, 'rb'): c.update(line.split())", tables.split_words, tables.some_words, 2),
    ],
    "count lines": [
        Contender("riffle_io.count_lines(p)", lambda path: riffle_io.count_lines(path), same),
        Contender("riffle wc -l", tool("-l"), same, 0.97),
        Contender("StringZilla's count", lambda path: zilla(path).count("\n"), same, 3),
    ],
    "count words": [
        Contender("riffle_io.count_words(p)", lambda path: riffle_io.count_words(path), same),
        Contender("riffle wc -w", tool("-w"), same, 0.97),
    ],
    "index": [
        Contender("riffle_io.line_index(p)", lambda path: riffle_io.line_index(path), some_lines),
        Contender("lineindex.LineIndex(p)", offsets_by_lineindex, some_lines, 5),
        Contender("a loop over open(p, 'rb')", offsets_by_loop, some_lines, 10),
    ],
}
