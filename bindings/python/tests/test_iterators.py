"""Tests what all iterators over records have in common: they can be closed, shared by threads, and collected."""

import gc
import weakref

import pytest
import riffle_io
from conftest import run_in_threads

ITERATORS = {
    "lines": riffle_io.lines,
    "several": lambda source: riffle_io.lines([b"one\n", source]),
    "text": lambda source: riffle_io.lines(source, encoding="utf-8"),
    "words": riffle_io.words,
    "rows": riffle_io.rows,
    "columns of rows": lambda source: riffle_io.rows(source, [0]),
    "fastq": riffle_io.fastq,
    "fasta": riffle_io.fasta,
    "batches": lambda source: riffle_io.lines(source, block_size=4096).batches(batch_size=1000),
}
FORMS = {"fastq": b"@%s\nA\n+\n!\n", "fasta": b">%s\nA\n"}  # of a record; of the others, a line
CLOSABLE = [name for name in ITERATORS if name != "batches"]
READERS = ITERATORS | {
    "line_index": riffle_io.line_index,
    "columns": lambda source: riffle_io.columns(source, {0: "bytes"}, header=False),
}


def text_of(name, words):
    return b"".join(FORMS.get(name, b"%s\n") % word for word in words)


@pytest.mark.parametrize("name", CLOSABLE)
def test_each_iterator_can_be_closed(name, write):
    path = write(text_of(name, [b"one", b"two"] * 100_000))
    with ITERATORS[name](path) as records:
        next(records)
        assert repr(records).startswith(f"<riffle_io.{type(records).__name__} of '")
        assert not records.closed and records.name in (str(path), "memory")
    assert records.closed and ", closed" in repr(records)
    records.close()
    for use in (next, type(records).__enter__):
        with pytest.raises(ValueError, match="these (lines|records) are closed"):
            use(records)
    assert str(type(records)[bytes]) == f"riffle_io.{type(records).__name__}[bytes]"


@pytest.mark.parametrize("name", READERS)
def test_each_class_makes_no_instances(name):
    kind = type(READERS[name](b"one\n"))
    for make in (kind, lambda: kind.__new__(kind)):
        with pytest.raises(TypeError, match="call the function"):
            make()


@pytest.mark.parametrize("name", ITERATORS)
def test_each_iterator_gives_its_source_back_at_the_end(name):
    data = bytearray(text_of(name, [b"one", b"two"]))
    records = ITERATORS[name](data)
    assert list(records)
    data.extend(b"three\n")  # raises BufferError while someone holds the buffer
    assert list(records) == []
    if name in CLOSABLE:
        assert records.name == "memory" and "memory" in repr(records)
        with records:
            pass
        assert records.closed
    if name in ("lines", "several", "text"):
        records = ITERATORS[name](b"")
        list(records)
        with pytest.raises(ValueError, match="these lines were already read"):
            records.batches()


@pytest.mark.parametrize("steps", [0, 1])
@pytest.mark.parametrize("name", READERS)
def test_a_cycle_through_what_reads_is_collected(name, steps):
    class Reads:
        def read(self, size):
            return text_of(name, [b"one"]) if name in CLOSABLE else b""

    class Bytes(bytearray):
        pass

    for make in Reads, lambda: Bytes(text_of(name, [b"one"])):
        source = make()
        source.reader = READERS[name](source)
        if name in CLOSABLE:
            for _ in range(steps):
                next(source.reader)
        gone = weakref.ref(source)
        del source
        gc.collect()
        assert gone() is None


@pytest.mark.parametrize("name", ITERATORS)
def test_each_record_goes_to_one_of_the_threads_that_share_an_iterator(name, write):
    path = write(text_of(name, [b"%d" % number for number in range(200_000)]))
    records, found = ITERATORS[name](path), []

    def take():
        while True:
            try:
                for record in records:
                    found.append(record)
                return
            except ValueError as error:
                assert "another thread" in str(error)

    run_in_threads(4, take)
    if name == "batches":
        assert sum(map(len, found)) == 200_000
    else:
        numbers = [record[0] if isinstance(record, (list, tuple)) else record for record in found]
        assert sorted(int(number) for number in numbers if number != b"one") == list(range(200_000))


def test_a_garbage_collection_that_steps_the_same_rows():
    rows = riffle_io.rows(b"a,b\n" * 10_000)
    refused = []

    def step(phase, _):
        try:
            next(rows, None)
        except ValueError as error:
            refused.append(error)

    gc.callbacks.append(step)
    try:
        found = list(rows)
    finally:
        gc.callbacks.remove(step)
    assert found[0] == [b"a", b"b"] and all(row == [b"a", b"b"] for row in found)
