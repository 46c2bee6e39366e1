"""The memory of columns is used again, and the OS kernel may take what lies unused."""

import resource

import pyarrow as pa
import pytest

import riffle_io

LINE = b"x" * 100 + b"\n"
HUGE_PAGE = 2 << 20


def faults_of(run):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    run()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def lazily_freed():
    """Returns the bytes of this process that the OS kernel may take."""
    with open("/proc/self/smaps_rollup", "rb") as facts:
        for fact in facts:
            if fact.startswith(b"LazyFree:"):
                return int(fact.split()[1]) << 10
    pytest.skip("the OS kernel does not report LazyFree")


def test_memory_of_batches_is_used_again():
    data = LINE * 600_000

    def run():
        for _batch in riffle_io.lines(data).batches():
            pass

    faults = [faults_of(run) for _ in range(3)]
    assert faults[-1] < len(data) / resource.getpagesize() / 10  # the first touch of a page is a fault


def test_memory_of_a_kept_column_is_used_again():
    data = LINE * 2_000_000
    lazily_freed()
    faults = [faults_of(lambda: pa.table(riffle_io.lines(data))) for _ in range(4)]
    assert faults[-1] < len(data) / HUGE_PAGE / 2
    assert lazily_freed() > len(data) / 2


def test_memory_that_is_used_again_holds_what_was_read():
    data = LINE * 2_000_000
    pa.table(riffle_io.lines(data))
    other = data.replace(b"x", b"y")
    held = [pa.table(riffle_io.lines(source)) for source in (data, other)]
    for table, letter in zip(held, b"xy", strict=True):
        assert set(table["line"].to_pylist()) == {bytes([letter]) * 100}


def test_many_small_batches_take_few_mappings():
    def mappings():
        with open("/proc/self/maps", "rb") as all_of_them:
            return len(all_of_them.readlines())

    before = mappings()
    held = list(riffle_io.lines(LINE * 200_000).batches(batch_size=4096))
    assert len(held) > 4000
    assert mappings() < before + 400
