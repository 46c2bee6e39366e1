"""Each way to read gives the same from each input, by each method, block size and number of threads."""

import contextlib
import random
import re

import pytest
import riffle_io
from conftest import ODDITIES
from inputs import INPUTS, SMALL, THREADED, WAYS, Given, made


@pytest.fixture
def given(tmp_path):
    with contextlib.ExitStack() as stack:
        yield Given(ODDITIES, tmp_path, stack)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", INPUTS)
def test_each_way_reads_each_input(kind, way, given):
    make, everything, truth = WAYS[way][:3]
    source, expected = made(kind, given)
    if expected is None:
        with pytest.raises((TypeError, OSError), match="'rb'"):
            everything(make(source))
    else:
        assert expected and everything(make(source)) == truth(expected)


def methods():
    with pytest.raises(ValueError) as refused:
        riffle_io.lines(b"", method="none")
    return re.findall(r"\w+", str(refused.value).partition("give ")[2])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", methods())
def test_each_way_reads_by_each_method(way, method, oddities):
    make, everything, truth = WAYS[way][:3]
    for block_size in 0, 1, 7, 5000:
        try:
            assert everything(make(oddities, method=method, block_size=block_size)) == truth(ODDITIES)
        except OSError as refusal:
            if "method unavailable" not in str(refusal):
                raise
            pytest.skip(str(refusal))


@pytest.mark.parametrize("way", WAYS)
def test_each_way_reads_small_inputs(way, write):
    make, everything, truth = WAYS[way][:3]
    for text in SMALL:
        for source in write(text), text:
            assert everything(make(source)) == truth(text)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """More than two splits of 4 MiB, so that several threads read."""
    draw = random.Random(16)
    pieces = [b"a", b"e ", b"\n", b"\r\n", b"\t\x0b", "é".encode(), "€".encode(), b"\xff", b"\0", b"word,"]
    path = tmp_path_factory.mktemp("large") / "text"
    path.write_bytes(b"".join(draw.choices(pieces, k=100_000)) * 60)
    return path


@pytest.mark.parametrize("way", THREADED)
def test_each_number_of_threads_gives_the_same(way, large):
    make, everything, truth = WAYS[way][:3]
    data = large.read_bytes()
    expected = truth(data)
    for threads in 0, 1, 2, 5:
        for source, how in (large, {}), (large, {"method": "read", "block_size": 4097}), (data, {}):
            assert everything(make(source, threads=threads, **how)) == expected
