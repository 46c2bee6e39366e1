"""Tests values of structs, float16 and bool against numpy.frombuffer."""

import random

import numpy
import pytest
import riffle_io

DTYPES = {
    "packed": numpy.dtype([("id", "<u4"), ("price", "<f8"), ("flag", "?")]),
    "aligned": numpy.dtype([("a", "i1"), ("b", "i8"), ("c", "i2")], align=True),
    "big-endian": numpy.dtype([("a", ">u2"), ("b", ">f8"), ("c", "<i4"), ("d", "i1"), ("e", ">f2")]),
    "nested": numpy.dtype([("at", [("x", ">f4"), ("y", "<f4")]), ("name", "S5")]),
    "arrays": numpy.dtype([("m", ">i4", (2, 3)), ("v", "<f4", 4), ("p", [("q", ">i2")], 2)]),
    "gaps": numpy.dtype({"names": ["a", "b"], "formats": ["<i2", ">i2"], "offsets": [2, 6], "itemsize": 12}),
}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", DTYPES)
def test_structs_are_those_of_numpy(name, threads, write):
    dtype = DTYPES[name]
    data = random.Random(1).randbytes(dtype.itemsize * (200_000 if name == "packed" else 1001))
    if name == "packed":
        data = (b"\1" * dtype.itemsize) * 200_000
    path = write(data)
    found = riffle_io.values(path, dtype, threads=threads)
    array = numpy.asarray(found)
    assert array.dtype == dtype.newbyteorder("=")
    wanted = numpy.frombuffer(data, dtype).astype(array.dtype)
    for field in dtype.names:
        assert array[field].tobytes() == wanted[field].tobytes()
    assert len(found) == len(data) // dtype.itemsize and found.itemsize == dtype.itemsize


def test_a_list_of_fields_needs_no_numpy():
    fields = [("id", "<u4"), ("at", [("x", ">f4")]), ("m", ">i2", (2,)), ("n", "u1", 3)]
    array = numpy.asarray(riffle_io.values(bytes(range(30)), fields))
    wanted = numpy.frombuffer(bytes(range(30)), fields)
    assert array.dtype == wanted.dtype.newbyteorder("=") and array.tobytes() == wanted.astype(array.dtype).tobytes()


def test_float16_and_bool():
    for name in ("float16", "<f2", numpy.float16, numpy.dtype("f2")):
        assert numpy.asarray(riffle_io.values(b"\0\x3c\0\xc0", name)).tolist() == [1.0, -2.0]
    assert numpy.asarray(riffle_io.values(b"\x3c\0\xc0\0", ">f2")).tolist() == [1.0, -2.0]
    for name in ("bool", "?", bool, numpy.bool_, numpy.dtype("?")):
        found = riffle_io.values(b"\0\1", name)
        assert found.tolist() == [False, True] and numpy.asarray(found).dtype == bool


def test_big_endian_numbers_come_in_the_order_of_this_machine():
    found = riffle_io.values(b"\0\0\0\5", numpy.dtype(">u4"))
    assert found.tolist() == [5] and numpy.asarray(found).dtype == numpy.dtype("=u4")


def test_dtypes_that_make_no_sense():
    endless = []
    endless.append(("a", endless))
    for wrong, error in (
        ([], ValueError), ([("a", "int")], ValueError), ([("a:b", "i1")], ValueError), (["a"], TypeError),
        ([("a",)], TypeError), ([(1, "i1")], TypeError), (numpy.dtype([("t", "M8[s]")]), ValueError),
        (numpy.dtype({"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": [0, 2]}), ValueError),
        ([("a", "i1", -1)], (TypeError, ValueError, RuntimeError)), ([("a", "i1", 0)], ValueError),
        ([("a", ">i2", 1 << 40)], ValueError), (endless, ValueError),
    ):  # fmt: skip
        with pytest.raises(error):
            riffle_io.values(b"", wrong)
    for none in ("float16", "bool", DTYPES["packed"]):
        with pytest.raises(ValueError, match="sum adds integers, float32 and float64|unknown dtype"):
            riffle_io.sum(b"", none)
    with pytest.raises(ValueError, match="different byte orders"):
        riffle_io.values(b"", [("a", "<i4")], byteorder="big")
    with pytest.raises(riffle_io.RiffleError, match="ends inside a value"):
        riffle_io.values(b"12345", [("a", "<i4")])
