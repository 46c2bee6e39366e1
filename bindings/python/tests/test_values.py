"""Tests values and sum against the module struct, and those of float16 and bool against numpy."""

import os
import random
import struct

import numpy
import pytest
import riffle_io

FORMATS = {
    "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
    "int64": "q", "uint64": "Q", "float32": "f", "float64": "d",
}  # fmt: skip
ORDERS = {"little": "<", "big": ">"}


def packed(dtype, order, count):
    """Returns numbers and their bytes."""
    size = struct.calcsize("=" + FORMATS[dtype])
    draw = random.Random(count)
    if dtype.startswith("float"):
        numbers = [draw.randrange(-(1 << 20), 1 << 20) / 8 for _ in range(count)]
    else:
        low = 0 if dtype.startswith("u") else -(1 << (8 * size - 1))
        numbers = [draw.randrange(low, low + (1 << 8 * size)) for _ in range(count)]
    return numbers, struct.pack(f"{ORDERS[order]}{count}{FORMATS[dtype]}", *numbers)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", FORMATS)
def test_values_and_sum_are_those_of_struct(dtype, order, tmp_path):
    for count in (0, 1, 1000):
        numbers, data = packed(dtype, order, count)
        path = tmp_path / "values"
        path.write_bytes(data)
        small_blocks = {"method": "read", "block_size": 64}
        for source, keywords in ((data, {}), (path, {}), (path, small_blocks), (path, {"threads": 3})):
            array = riffle_io.values(source, dtype, order=order, **keywords)
            assert array.tolist() == numbers
            assert riffle_io.sum(source, dtype, order=order, **keywords) == sum(numbers)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_several_threads_fill_one_array(threads, write):
    numbers = numpy.arange(3_000_001, dtype=">u4")
    path = write(numbers.tobytes())
    array = riffle_io.values(path, ">u4", threads=threads)
    assert numpy.array_equal(numpy.asarray(array), numbers)
    assert riffle_io.sum(path, ">u4", threads=threads) == int(numbers.sum(dtype="u8"))
    descriptor = os.open(path, os.O_RDONLY)
    os.lseek(descriptor, 4 * 5, os.SEEK_SET)
    behind = riffle_io.values(descriptor, ">u4", threads=threads)
    os.close(descriptor)
    assert numpy.array_equal(numpy.asarray(behind), numbers[5:])


def test_numpy_reads_and_writes_the_array_without_a_copy():
    array = riffle_io.values(struct.pack("=3d", 1, 2, 3), "float64")
    numbers = numpy.asarray(array)
    assert numbers.dtype == numpy.float64
    numbers[1] = 7
    assert array.tolist() == [1, 7, 3]
    del array
    assert numbers.tolist() == [1, 7, 3]


def test_memoryview_reads_the_array():
    array = riffle_io.values(b"\1\0\2\0", "uint16", order="little")
    assert isinstance(array, memoryview)
    assert (array.format, array.itemsize, array.shape, array.strides) == ("H", 2, (2,), (2,))
    assert (array[0], array[-1], len(array), array.contiguous, array.readonly) == (1, 2, 2, True, False)
    assert bytes(array) == struct.pack("=2H", 1, 2)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_size_that_is_wrong_does_not_matter(threads):
    with open("/proc/self/cmdline", "rb") as file:  # its size is reported as 0
        assert bytes(riffle_io.values("/proc/self/cmdline", "uint8", threads=threads)) == file.read()
    path = "/sys/kernel/mm/transparent_hugepage/enabled"  # and of this one, as 4096
    if not os.path.exists(path):
        pytest.skip(f"there is no {path}")
    with open(path, "rb") as file:
        assert bytes(riffle_io.values(path, "uint8", threads=threads)) == file.read()


def test_the_names_of_a_dtype():
    data = struct.pack("<2h", 1, -2)
    for dtype in ("int16", "i2", "<i2", numpy.dtype("<i2")):
        assert riffle_io.values(data, dtype, order="little").tolist() == [1, -2]
    assert riffle_io.values(data, numpy.int16).tolist() == [1, -2]
    assert riffle_io.values(struct.pack(">h", 5), numpy.dtype(">i2")).tolist() == [5]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("size", [3, 9_000_003])
def test_an_input_that_ends_inside_a_value(size, threads, write):
    path = write(bytes(size))
    for work in (riffle_io.values, riffle_io.sum):
        with pytest.raises(riffle_io.RiffleError, match="ends inside a value") as raised:
            work(path, "uint64", threads=threads)
        assert raised.value.offset == size // 8 * 8
        assert raised.value.filename == str(path)


def test_the_sum_of_integers_has_no_limit():
    assert riffle_io.sum(b"\xff" * 8000, "uint64") == 1000 * (2**64 - 1)
    assert riffle_io.sum(struct.pack("=q", -(2**63)) * 1001, "int64", threads=2) == -1001 * 2**63
    assert riffle_io.sum(struct.pack("=2q", -1, -1), "int64") == -2


def test_values_that_do_not_fit_into_memory(write, run):
    os.truncate(write(b"", "hole"), 1 << 40)
    script = """
import resource, riffle_io
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
try:
    riffle_io.values("hole", "uint8")
except MemoryError as error:
    print(isinstance(error, riffle_io.RiffleError), error.filename)
"""
    assert run(script) == "True hole\n"


def test_arrays_are_made_by_values_only():
    kind = type(riffle_io.values(b"abcd", "uint8").obj)
    with pytest.raises(TypeError):
        kind.__new__(kind)


def test_numpy_reads_structs_of_the_array():
    data = random.Random(1).randbytes(1001 * 7)
    points = numpy.frombuffer(riffle_io.values(data, "uint8"), [("x", ">u2"), ("y", "<f4"), ("z", "i1")])
    assert [point.tobytes() for point in points] == [data[i : i + 7] for i in range(0, len(data), 7)]


def test_float16_and_bool():
    for name in ("float16", "<f2", numpy.float16, numpy.dtype("f2")):
        assert numpy.asarray(riffle_io.values(b"\0\x3c\0\xc0", name)).tolist() == [1.0, -2.0]
    assert numpy.asarray(riffle_io.values(b"\x3c\0\xc0\0", ">f2")).tolist() == [1.0, -2.0]
    for name in ("bool", "?", bool, numpy.bool_, numpy.dtype("?")):
        found = riffle_io.values(b"\0\1", name)
        assert found.tolist() == [False, True] and numpy.asarray(found).dtype == bool
