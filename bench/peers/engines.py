"""A count of the rows, a sum of the column `price` of CSV, and sums by station, by Python programs.

engines.py ENGINE TASK THREADS FILE
"""

import os
import sys


def duckdb(task: str, threads: int, path: str):
    import duckdb

    duckdb.execute(f"SET threads = {threads}")
    if task == "by":
        what = "column0, count(*), min(column1), max(column1), sum(column1)"
        return duckdb.execute(f"SELECT {what} FROM read_csv(?, delim = ';', header = false) GROUP BY ALL", [path]).fetchall()
    what = {"count": "count(*)", "sum": "sum(price)"}[task]
    return duckdb.execute(f"SELECT {what} FROM read_csv(?)", [path]).fetchone()[0]


def polars(task: str, threads: int, path: str):
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars

    if task == "by":
        value = polars.col("column_1")
        rows = polars.scan_csv(path, separator=";", has_header=False).group_by("column_0")
        return rows.agg(polars.len(), value.min().alias("min"), value.max().alias("max"), value.sum().alias("sum")).collect().rows()
    what = {"count": polars.len(), "sum": polars.col("price").sum()}[task]
    return polars.scan_csv(path).select(what).collect().item()


def pyarrow(task: str, threads: int, path: str):
    import pyarrow.csv
    import pyarrow.dataset

    pyarrow.set_cpu_count(threads)
    if task == "count":
        return pyarrow.dataset.dataset(path, format="csv").count_rows()
    options = pyarrow.csv.ConvertOptions(include_columns=["price"])
    return pyarrow.compute.sum(pyarrow.csv.read_csv(path, convert_options=options)["price"]).as_py()


def vroom_csv(task: str, threads: int, path: str):
    import pyarrow.compute
    import vroom_csv

    table = vroom_csv.read_csv(path, usecols=["price"], num_threads=threads)
    return table.num_rows if task == "count" else pyarrow.compute.sum(pyarrow.table(table)["price"]).as_py()


if __name__ == "__main__":
    _, engine, task, threads, path = sys.argv
    answer = globals()[engine](task, int(threads), path)
    if task == "by":
        lines = [f"{key} {count} {low:.1f} {high:.1f} {total:.1f}" for key, count, low, high, total in answer]
        print(*sorted(lines, key=str.encode), sep="\n")
    else:
        print(f"{answer:.2f}" if task == "sum" else answer)
