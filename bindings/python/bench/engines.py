"""The tasks of riffle_io's adapters beside the engines' own readers, on two workers, and the cost of an empty task.

    build/python/engines/bin/python bindings/python/bench/race --task dask --task ray --task spark

Each contender is a process that starts the engine before its first run.
"""

import os
import sys
from functools import cache
from importlib import import_module

import riffle_io
from contenders import Contender, Task


def splits(path: str) -> list:
    return riffle_io.splits(path, split_size=os.path.getsize(path) // 1000)


@cache
def dask():
    import_module("distributed").Client(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    return import_module("riffle_io.dask")


def dask_text(path: str):
    dask()
    return import_module("dask.bag").read_text(path, blocksize=64 << 20, linedelimiter="\n")


@cache
def ray():
    engine = import_module("ray")
    engine.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    engine.data.DataContext.get_current().enable_progress_bars = False
    return engine, import_module("riffle_io.ray"), engine.remote(lambda split: 1)


@cache
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "OFF").config("spark.driver.memory", "2g").getOrCreate()
    session.dataSource.register(import_module("riffle_io.spark").RiffleDataSource)
    return session


def spark_tasks(path: str) -> int:
    context = spark().sparkContext
    return context.parallelize(splits(path), len(splits(path))).map(lambda split: 1).sum()


TASKS = {
    "dask: lines": Task([
        Contender("riffle_io.dask.count", lambda path: dask().count(path).compute()),
        Contender("dask.bag.read_text", lambda path: dask_text(path).count().compute()),
    ]),
    "dask: words": Task([
        Contender("riffle_io.dask.count", lambda path: dask().count(path, riffle_io.count_words).compute()),
        Contender("dask.bag.read_text", lambda path: dask_text(path).str.split().map(len).sum().compute()),
    ]),
    "dask: tasks": Task([
        Contender("1,000 empty tasks", lambda path: len(dask()._map(lambda split: 1, splits(path)).compute())),
    ], input=""),
    "ray: lines": Task([
        Contender("riffle_io.ray.count", lambda path: ray()[1].count(path)),
        Contender("riffle_io.ray.read_lines, moved", lambda path: ray()[1].read_lines(path).count()),
        Contender("ray.data.read_text", lambda path: ray()[0].data.read_text(path).count()),
    ]),
    "ray: tasks": Task([
        Contender("1,000 empty tasks", lambda path: len(ray()[0].get([ray()[2].remote(each) for each in splits(path)]))),
    ], input=""),
    "spark: lines": Task([
        Contender("riffle_io.spark.count", lambda path: import_module("riffle_io.spark").count(spark(), path)),
        Contender("riffle format, moved", lambda path: spark().read.format("riffle").load(path).count()),
        Contender("spark.read.text", lambda path: spark().read.text(path).count()),
    ]),
    "spark: tasks": Task([Contender("1,000 empty tasks", spark_tasks)], input=""),
}
