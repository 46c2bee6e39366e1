"""Each layout of a column holds the lines that a plain loop finds, and its memory is the column's own and used again."""

import collections
import gc
import os
import resource

import oracle
import pyarrow as pa
import pytest
import riffle_io
from conftest import Steps, run_in_threads

LAYOUTS = ["view", "terminated", "packed"]


def column(batches):
    """Returns the only column of what has batches, after pyarrow has looked at each of its bytes."""
    table = pa.table(batches)
    table.validate(full=True)
    return table["line"]


def expected(data, layout, delimiter=b"\n"):
    return oracle.records(data, delimiter, keep=layout == "terminated")


@pytest.fixture
def big(tmp_path):
    """A file of several batches, with lines of many lengths around the 12 bytes that a view holds itself."""
    path = tmp_path / "big"
    path.write_bytes(b"\n".join(b"%d" % (7 ** (i % 40)) for i in range(200_000)))
    return path


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("delimiter", [b"\n", b";", b"\0", b"\xff"])
def test_oracle(layout, delimiter):
    for data in (oracle.content(delimiter, repeat=3), b"", b"\n", b"\n\n", b"a", b"a\n", b"\na", b"a\n\n"):
        for batch_size in [*range(1, 40), 1000, 0]:
            batches = riffle_io.lines(data, delimiter).batches(layout, batch_size=batch_size)
            assert column(batches).to_pylist() == expected(data, layout, delimiter), batch_size


@pytest.mark.parametrize("layout", LAYOUTS)
def test_more_lines_than_an_index_holds(layout):
    data = b"\n" * 900_000
    lines = column(riffle_io.lines(data).batches(layout))
    assert len(lines) == 900_000
    assert lines.nbytes < 18 * 900_000
    assert set(lines.to_pylist()) == {b"\n" if layout == "terminated" else b""}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_line_longer_than_a_batch(layout):
    data = b"short\n" + b"x" * 5_000_000 + b"\nlast\n"
    assert column(riffle_io.lines(data).batches(layout)).to_pylist() == expected(data, layout)


def test_options():
    data = b"one\r\ntwo\nthree\r"
    assert column(riffle_io.lines(data, keep_delimiter=True)).to_pylist() == [b"one\r\n", b"two\n", b"three\r"]
    assert column(riffle_io.lines(b"\xe9", encoding="latin-1").batches(string=False)).to_pylist() == [b"\xe9"]
    for layout in ("view", "packed"):
        lines = column(riffle_io.lines(data, strip_cr=True).batches(layout))
        assert lines.to_pylist() == [b"one", b"two", b"three"]


def test_types():
    def type_of(layout, string):
        return pa.table(riffle_io.lines(b"a").batches(layout, string=string)).schema.field("line").type

    assert type_of("view", False) == pa.binary_view()
    assert type_of("view", True) == pa.string_view()
    assert type_of("terminated", False) == pa.binary()
    assert type_of("packed", True) == pa.string()
    assert pa.schema(riffle_io.lines(b"a").batches("packed")) == pa.schema([("line", pa.binary())])
    assert pa.schema(next(riffle_io.lines(b"a").batches("view"))) == pa.schema([("line", pa.binary_view())])
    assert pa.table(riffle_io.lines(b"a", encoding="utf-8")).schema.field("line").type == pa.string()
    assert pa.table(riffle_io.lines(b"a")).schema == pa.schema(riffle_io.lines(b"a").batches())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_text(layout):
    data = "naïve €\n😀\n".encode() * 400
    for batch_size in [*range(1, 12), 1000, 0]:
        lines = column(riffle_io.lines(data).batches(layout, string=True, batch_size=batch_size))
        assert [line.encode() for line in lines.to_pylist()] == expected(data, layout)


# Cut short by the end, by a newline, wrong within a line, and with the rest of a character in the next block.
@pytest.mark.parametrize("bad", [b"\xf0\x9f\x98", b"\xe2\x82\n", b"x\xffy\n", b"\xed\xa0\x80\n", b"\x80"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_text_that_is_not_utf8(layout, bad):
    good = "naïve €\n".encode() * 5
    data = good + b"start " + bad + b"more\n" * bad.endswith(b"\n")
    offset = data.index(bad) + (bad[:1] == b"x")
    for batch_size in [*range(1, 20), 0]:
        batches = riffle_io.lines(data).batches(layout, string=True, batch_size=batch_size)
        found = []
        with pytest.raises(riffle_io.RiffleError, match=f"byte {offset}: .*not UTF-8") as raised:
            for batch in batches:
                found += pa.record_batch(batch)["line"].to_pylist()
        assert raised.value.offset == offset
        assert [line.encode() for line in found] == expected(good, layout)
        with pytest.raises(riffle_io.RiffleError):
            next(batches)
    with pytest.raises(OSError, match=f"at byte {offset}: .*not UTF-8"):
        pa.table(riffle_io.lines(data).batches(layout, string=True))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_lines_before_a_failure(layout):
    data = b"one\ntwo\n" + b"x" * 100 + b"\nthree\n"
    for batch_size in (0, 1, 64):
        batches = riffle_io.lines(data, max_length=50).batches(layout, batch_size=batch_size)
        found = []
        with pytest.raises(riffle_io.RiffleError, match="at byte 8"):
            for batch in batches:
                found += pa.record_batch(batch)["line"].to_pylist()
        assert found == expected(b"one\ntwo\n", layout)


def test_an_exception_of_a_file_object_arrives_and_ends_the_batches():
    batches = riffle_io.lines(Steps(b"one\n", KeyError("the object's own"), b"two\n", b"")).batches()
    assert pa.record_batch(next(batches))["line"].to_pylist() == [b"one"]
    with pytest.raises(KeyError, match="the object's own"):
        next(batches)
    for _ in range(2):
        with pytest.raises(ValueError, match="raised an exception before"):
            next(batches)
    with pytest.raises(OSError, match="the object's own"):
        pa.table(riffle_io.lines(Steps(KeyError("the object's own"))))


def test_is_read_once():
    lines = riffle_io.lines(b"a\nb\n")
    batches = lines.batches()
    with pytest.raises(ValueError):
        next(lines)
    with pytest.raises(ValueError):
        lines.batches()
    assert column(batches).to_pylist() == [b"a", b"b"]
    with pytest.raises(ValueError):
        next(batches)
    lines = riffle_io.lines(b"a\nb\n")
    next(lines)
    with pytest.raises(ValueError):
        lines.__arrow_c_stream__()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_copy(big, layout):
    for batch in riffle_io.lines(big).batches(layout):
        first, second = (pa.record_batch(batch)["line"].buffers() for _ in range(2))
        assert [b and (b.address, b.size) for b in first] == [b and (b.address, b.size) for b in second]
        assert layout != "terminated" or first[2].to_pybytes() in big.read_bytes()


def test_a_truncated_file_changes_no_column(big):
    lines = column(riffle_io.lines(big, method="mmap"))
    before = lines.to_pylist()
    os.truncate(big, 0)
    gc.collect()
    assert lines.to_pylist() == before


def test_released_by_another_thread(big):
    held = [pa.table(riffle_io.lines(big)) for _ in range(3)]
    run_in_threads(3, lambda: (held.clear(), column(riffle_io.lines(big))))
    assert not held


def test_a_line_too_long_for_arrow(write):
    available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if available < 8 << 30:
        pytest.skip("a line of 2 GiB takes 8 GiB of free memory")
    path = write(b"first\n")
    os.truncate(path, 6 + (1 << 31) + 10)
    batches = riffle_io.lines(path).batches()
    assert pa.record_batch(next(batches))["line"].to_pylist() == [b"first"]
    with pytest.raises(riffle_io.RiffleError, match="at byte 6"):
        next(batches)


LINE = b"x" * 100 + b"\n"
HUGE_PAGE = 2 << 20


def faults_of(run):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    run()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def lazily_freed():
    """Returns the bytes of this process that the OS kernel may take."""
    for fact in riffle_io.lines("/proc/self/smaps_rollup"):
        if fact.startswith(b"LazyFree:"):
            return int(fact.split()[1]) << 10
    pytest.skip("the OS kernel does not report LazyFree")


def test_memory_of_batches_is_used_again():
    data = LINE * 600_000
    faults = [faults_of(lambda: collections.deque(riffle_io.lines(data).batches(), maxlen=0)) for _ in range(3)]
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
    before = riffle_io.count_lines("/proc/self/maps")
    held = list(riffle_io.lines(LINE * 200_000).batches(batch_size=4096))
    assert len(held) > 4000
    assert riffle_io.count_lines("/proc/self/maps") < before + 400
