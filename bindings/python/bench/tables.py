"""What `race` measures of tables and words.

A table is CSV with a number in its second column and quotes around a third of its fields. A text is lines of 12 words of
4,096, short and frequent ones first, as in natural text.
"""

import os
import random
from collections import Counter
from collections.abc import Callable

import riffle_io

THREADS = 2


def table_of(path: str) -> str:
    """Returns the path of a table of the size of the input, which the first call makes."""
    table = f"{path}.csv"
    if not os.path.exists(table):
        with open(f"{table}.part", "wb") as file:
            file.write(b"id,price,item,city,state,note\n")
            row = b'%d,%d.%02d,"nut %d, small",Graz,new,"%07d ""x"""\n'
            block = b"".join(row % (n, n % 997, n % 100, n % 89, n) for n in range(100_000))
            for _ in range(os.path.getsize(path) // len(block) + 1):
                file.write(block)
        os.rename(f"{table}.part", table)
    return table


def riffle_price(path: str):
    import pyarrow

    return pyarrow.table(riffle_io.columns(table_of(path), {"price": "f64"}, threads=THREADS))["price"]


def polars_price(path: str):
    import polars

    return polars.read_csv(table_of(path), columns=["price"])["price"]


def pyarrow_price(path: str):
    import pyarrow
    from pyarrow import csv

    pyarrow.set_cpu_count(THREADS)
    return csv.read_csv(table_of(path), convert_options=csv.ConvertOptions(include_columns=["price"]))["price"]


def pandas_price(path: str):
    import pandas

    return pandas.read_csv(table_of(path), usecols=["price"])["price"]


def price_answer(_: str, prices) -> tuple[int, float]:
    values = prices.to_numpy()
    return len(values), round(float(values.sum()), 2)


def text_of(path: str) -> str:
    """Returns the path of a text of the size of the input, which the first call makes."""
    text = f"{path}.text"
    if not os.path.exists(text):
        draw = random.Random(1)
        words = [bytes(draw.choices(b"etaoinshrdlu", k=1 + n * 12 // 4096)) for n in range(4096)]
        lines = (b" ".join(words[int(4096 * draw.random() ** 2)] for _ in range(12)) for _ in range(100_000))
        block = b"\n".join(lines) + b"\n"
        with open(f"{text}.part", "wb") as file:
            for _ in range(os.path.getsize(path) // len(block) + 1):
                file.write(block)
        os.rename(f"{text}.part", text)
    return text


def riffle_words(path: str) -> Counter:
    return Counter(riffle_io.words(text_of(path)))


def split_words(path: str) -> Counter:
    words: Counter = Counter()
    with open(text_of(path), "rb") as file:
        for line in file:
            words.update(line.split())
    return words


def rows(encoding: str | None) -> Callable[[str], int]:
    return lambda path: sum(1 for _ in riffle_io.rows(table_of(path), encoding=encoding))


def csv_rows(path: str) -> int:
    import csv

    with open(table_of(path), encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.reader(file))


def some_words(_: str, words: Counter) -> list[tuple[bytes, int]]:
    return sorted(words.items())[:9]
