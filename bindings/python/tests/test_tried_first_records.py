"""What a Python programmer tries first of records, columns, values and indices works: a test for each clause."""

import builtins
import collections
import os
import time

import pytest
import riffle_io


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b'item,price\n"nut, ""small""",0.25\nbolt,1.5\n')
    return path


def test_rows_with_a_quote_a_header_and_an_encoding(table):
    assert list(riffle_io.rows(table, quote='"', header=False, encoding=None))[1] == [b'nut, "small"', b"0.25"]
    assert list(riffle_io.rows(table, encoding="utf-8"))[2] == ["bolt", "1.5"]
    assert next(riffle_io.rows(table, header=True, encoding="utf-8")) == {"item": 'nut, "small"', "price": "0.25"}


def test_columns_is_an_arrow_table_by_the_c_stream(table):
    pyarrow = pytest.importorskip("pyarrow", reason="it reads the stream")
    assert pyarrow.table(riffle_io.columns(table, {"price": "f64"})).to_pydict() == {"price": [0.25, 1.5]}


def test_words_into_a_Counter(table):
    assert collections.Counter(riffle_io.words(table)) == collections.Counter(table.read_bytes().split())


def test_values_of_structs_float16_bool_and_big_endian():
    numpy = pytest.importorskip("numpy", reason="its dtypes are the names")
    dtype = numpy.dtype([("id", ">u4"), ("ok", "?")])
    array = numpy.asarray(riffle_io.values(b"\0\0\0\7\1", dtype))
    assert array["id"].tolist() == [7] and array["ok"].tolist() == [True]
    assert numpy.asarray(riffle_io.values(b"\0\x3c", "float16")).tolist() == [1.0]
    assert riffle_io.values(b"\0\1", bool).tolist() == [False, True]
    assert riffle_io.values(b"\0\5", numpy.dtype(">i2")).tolist() == [5]


def test_an_integer_of_numpy_is_a_descriptor(table):
    numpy = pytest.importorskip("numpy", reason="its integers are tried")

    class Index:
        def __index__(self):
            return descriptor

    descriptor = os.open(table, os.O_RDONLY)
    try:
        for source in (numpy.int64(descriptor), numpy.uint8(descriptor), Index()):
            os.lseek(descriptor, 0, os.SEEK_SET)
            assert riffle_io.count_lines(source) == 3
    finally:
        os.close(descriptor)
    # Arrays are bytes, also those that could be an index.
    assert riffle_io.count_lines(numpy.array([10], "u1")) == riffle_io.count_lines(numpy.array(10, "u1")) == 1
    with pytest.raises(TypeError):
        riffle_io.count_lines(True)


def test_import_star_leaves_the_builtin_sum():
    names = {}
    exec("from riffle_io import *", names)
    assert "sum" not in names and "rows" in names
    assert riffle_io.sum is not builtins.sum


def test_iterating_line_index_is_about_as_fast_as_lines(write):
    path = write(b"a line of some length that is read\n" * 300_000)
    index = riffle_io.line_index(path)

    def seconds(iterate):
        times = []
        for _ in range(5):
            start = time.process_time()
            for _ in iterate():
                pass
            times.append(time.process_time() - start)
        return min(times)

    assert seconds(lambda: index) < 2.5 * seconds(lambda: riffle_io.lines(path))  # one pread a line takes 9 times


def test_a_loop_over_line_index_gives_its_lines(oddities):
    for keep in (False, True):
        index = riffle_io.line_index(oddities, keep_delimiter=keep)
        assert list(index) == index[:] == [index[n] for n in range(len(index))]
        assert index[2] in index and b"no such line" not in index
    assert list(riffle_io.line_index(oddities.read_bytes())) == list(riffle_io.lines(oddities))
    loops = iter(index), iter(index)
    assert [next(loops[0]), next(loops[0]), next(loops[1])] == [index[0], index[1], index[0]]
    assert list(riffle_io.line_index(b"")) == []


def test_a_loop_over_the_index_of_a_file_that_changed(write):
    path = write(b"line\n" * 200_000)
    index = riffle_io.line_index(path)
    loop = iter(index)
    assert next(loop) == b"line"
    os.truncate(path, 500_000)
    for _ in range(2):
        with pytest.raises(riffle_io.RiffleError, match="the file changed; index it again"):
            list(loop)


@pytest.mark.parametrize("before", [1, 100_000])
def test_the_offset_of_a_mapped_file_that_was_cut_is_where_the_block_in_use_began(tmp_path, before):
    path, cut = tmp_path / "cut", (3 << 20) + 5000
    path.write_bytes(b"0123456\n" * (1 << 20))
    lines = riffle_io.lines(path, method="mmap")
    given = sum(len(line) + 1 for line, _ in zip(lines, range(before)))
    os.truncate(path, cut)
    with pytest.raises(riffle_io.RiffleError, match="the file shrank") as raised:
        for line in lines:
            given += len(line) + 1
    assert raised.value.offset <= min(given, cut)
    assert given - raised.value.offset <= 256 << 10


def test_the_new_objects_have_a_useful_repr(table):
    assert repr(riffle_io.rows(table)) == f"<riffle_io.Rows of '{table}'>"
    assert repr(riffle_io.words(table)) == f"<riffle_io.Words of '{table}'>"
    assert repr(riffle_io.columns(table, {"price": "f64"})) == f"<riffle_io.Columns of '{table}': price>"
