"""What `race` measures: the tasks, and for each task riffle_io and what people use instead.

A contender imports what it needs when it is first called, and that call is not measured.
"""

import csv
import gzip
import mmap
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

import riffle_io

ROOT = Path(__file__).resolve().parents[3]
TOOL, PEERS = ROOT / "build/release/riffle", ROOT / "bench/peers"  # the tool, and where the driver of races is


@dataclass(frozen=True)
class Contender:
    name: str
    make: Callable[[str], object]  # takes a path, returns a result, or the lines that are looped over
    wanted: float | None = None  # how many times as fast riffle_io should be; None for riffle_io itself


def call(make: Callable[[str], object], path: str) -> object:
    return make(path)


@dataclass(frozen=True)
class Task:
    contenders: list[Contender]
    answer: Callable[[object], object] = lambda result: result  # of what a contender makes: what all agree on
    run: Callable[[Callable, str], object] = call  # what is measured: takes a contender's `make` and a path
    input: str = "lines95"  # of bench/peers/inputs.py; empty: nothing is read whose speed would be shown
    threads: int = 1  # of each contender


text_lines = partial(riffle_io.lines, encoding="utf-8")
open_bytes = partial(open, mode="rb")


# Loops over lines. Contenders differ in newlines that they keep, and in a last empty piece that they give.


def loop(make: Callable[[str], Iterable], path: str) -> None:
    for _ in make(path):
        pass


def bare(line: object) -> bytes:
    return (line.encode() if isinstance(line, str) else bytes(line)).rstrip(b"\n")


def lines_and_size(lines: Iterable) -> tuple[int, int]:
    sizes = [len(bare(line)) for line in lines]
    return sum(map(bool, sizes)), sum(sizes)


def count(lines: Iterable) -> int:
    return sum(1 for _ in lines)


def mapped_readline(path: str) -> Iterable[bytes]:
    with open(path, "rb") as file:
        return iter(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ).readline, b"")


def zilla(path: str):
    stringzilla = import_module("stringzilla")
    return stringzilla.Str(stringzilla.File(path))


# Columns of Arrow.


def csv_column(path: str):
    """Each line as the only column."""
    arrow = import_module("pyarrow.csv")
    return arrow.read_csv(
        path,
        read_options=arrow.ReadOptions(column_names=["line"], use_threads=False),
        parse_options=arrow.ParseOptions(delimiter="\x01", quote_char=False, ignore_empty_lines=False),
        convert_options=arrow.ConvertOptions(column_types={"line": import_module("pyarrow").binary()}),
    )[0]


def size_and_last(column) -> tuple[int, bytes]:
    last = column[-1]
    return len(column), bare(last if isinstance(last, str) else last.as_py())


def pyarrow_price(path: str):
    arrow = import_module("pyarrow.csv")
    import_module("pyarrow").set_cpu_count(2)
    return arrow.read_csv(path, convert_options=arrow.ConvertOptions(include_columns=["price"]))["price"]


TRADES = {"time": "timestamp[us]", "price": "decimal(12, 2)", "amount": "decimal(18, 8)"}


def polars_trades(path: str):
    polars = import_module("polars")
    types = {"time": polars.Datetime("us"), "price": polars.Decimal(12, 2), "amount": polars.Decimal(18, 8)}
    return polars.read_csv(path, columns=[*types], schema_overrides=types).to_arrow()


def pyarrow_trades(path: str):
    arrow, kinds = import_module("pyarrow.csv"), import_module("pyarrow")
    kinds.set_cpu_count(2)
    types = {"time": kinds.timestamp("us"), "price": kinds.decimal128(12, 2), "amount": kinds.decimal128(18, 8)}
    return arrow.read_csv(path, convert_options=arrow.ConvertOptions(include_columns=[*types], column_types=types))


def duckdb_trades(path: str):
    connection = import_module("duckdb").connect(config={"threads": 2})
    types = "{'time': 'TIMESTAMP', 'price': 'DECIMAL(12, 2)', 'amount': 'DECIMAL(18, 8)'}"
    return connection.sql(f"select time, price, amount from read_csv('{path}', types={types})").to_arrow_table()


def sums_of_trades(table) -> tuple:
    compute = import_module("pyarrow.compute")
    return len(table), str(compute.max(table["time"])), *(str(compute.sum(table[name])) for name in ("price", "amount"))


# Whole answers.


def csv_rows(path: str) -> int:
    with open(path, encoding="utf-8", newline="") as file:
        return count(csv.reader(file))


def split_words(path: str) -> Counter:
    words: Counter = Counter()
    with open(path, "rb") as file:
        for line in file:
            words.update(line.split())
    return words


def tool(option: str) -> Callable[[str], int]:
    return lambda path: int(subprocess.check_output([TOOL, "wc", "--threads=1", option, path]).split()[0])


def offsets_by_lineindex(path: str):
    Path(f"{path}.idx").unlink(missing_ok=True)  # a file that it would take instead of reading
    return import_module("lineindex").LineIndex(path)


TASKS = {
    "lines": Task([
        Contender("for line in riffle_io.lines(p)", riffle_io.lines),
        Contender("for line in open(p, 'rb')", open_bytes, 1.8),
        Contender("for line in iter(mmap.readline, b'')", mapped_readline, 1.4),
        Contender("for line in StringZilla's split_iter", lambda path: zilla(path).split_iter("\n"), 2),
        Contender("for line in StringZilla's splitlines", lambda path: zilla(path).splitlines(), 1.3),
    ], lines_and_size, loop),
    "lines of text": Task([
        Contender("for line in riffle_io.lines(p, encoding='utf-8')", text_lines),
        Contender("for line in open(p)", open, 2),
    ], lines_and_size, loop),
    "lines of gzip": Task([
        Contender("for line in riffle_io.lines(p, decode='gzip')", lambda path: riffle_io.lines(path, decode="gzip")),
        Contender("for line in isal.igzip.open(p)", lambda path: import_module("isal.igzip").open(path), 2.5),
        Contender("for line in gzip.open(p)", gzip.open, 6),
    ], lines_and_size, loop, "lines95.gz"),
    "column": Task([
        Contender("riffle_io.lines(p).batches('view')",
                  lambda path: import_module("pyarrow").table(riffle_io.lines(path).batches("view"))[0]),
        Contender("polars_readlines.read_lines",
                  lambda path: import_module("polars_readlines").read_lines(path).to_series(), 1.5),
        Contender("polars.read_lines", lambda path: import_module("polars").read_lines(path).to_series(), 4),
        Contender("pyarrow.csv.read_csv", csv_column, 6),
    ], size_and_last),
    "price of CSV": Task([
        Contender("riffle_io.columns(p, {'price': 'f64'}), two threads",
                  lambda path: import_module("pyarrow").table(riffle_io.columns(path, {"price": "f64"}, threads=2))["price"]),
        Contender("polars.read_csv(p, columns=['price'])",
                  lambda path: import_module("polars").read_csv(path, columns=["price"])["price"], 1.5),
        Contender("pyarrow.csv.read_csv, include_columns", pyarrow_price, 1.5),
        Contender("pandas.read_csv(p, usecols=['price'])",
                  lambda path: import_module("pandas").read_csv(path, usecols=["price"])["price"], 8),
    ], lambda prices: (len(prices), round(float(prices.to_numpy().sum()), 2)), input="orders-csv", threads=2),
    "times and decimals of CSV": Task([
        Contender("riffle_io.columns(p, {'time': 'timestamp[us]', 'price': 'decimal(12, 2)', ...}), two threads",
                  lambda path: import_module("pyarrow").table(riffle_io.columns(path, TRADES, threads=2))),
        Contender("polars.read_csv, schema_overrides", polars_trades, 1.5),
        Contender("pyarrow.csv.read_csv, column_types", pyarrow_trades, 1.5),
        Contender("duckdb.sql(select .. from read_csv)", duckdb_trades, 1.5),
    ], sums_of_trades, input="trades", threads=2),
    "rows of CSV": Task([
        Contender("for row in riffle_io.rows(p, encoding='utf-8')", lambda path: count(riffle_io.rows(path, encoding="utf-8"))),
        Contender("for row in riffle_io.rows(p)", lambda path: count(riffle_io.rows(path)), 0.5),
        Contender("for row in csv.reader(open(p))", csv_rows, 1.5),
    ], input="orders-csv"),
    "words": Task([
        Contender("Counter(riffle_io.words(p))", lambda path: Counter(riffle_io.words(path))),
        Contender("for line in open(p, 'rb'): c.update(line.split())", split_words, 2),
    ], lambda words: sorted(words.items())[:9], input="text"),
    "count lines": Task([
        Contender("riffle_io.count_lines(p)", riffle_io.count_lines),
        Contender("riffle wc -l", tool("-l"), 0.97),
        Contender("StringZilla's count", lambda path: zilla(path).count("\n"), 3),
    ]),
    "count words": Task([
        Contender("riffle_io.count_words(p)", riffle_io.count_words),
        Contender("riffle wc -w", tool("-w"), 0.97),
    ]),
    "index": Task([
        Contender("riffle_io.line_index(p)", riffle_io.line_index),
        Contender("lineindex.LineIndex(p)", offsets_by_lineindex, 5),
    ], lambda index: [bare(index[n]) for n in (0, 1, 100)]),
}
