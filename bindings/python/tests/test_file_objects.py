"""Tests file objects beyond their bytes, which test_inputs.py compares: names, waiting, responses that are cut."""

import gzip
import http.client
import io
import os
import socket
import threading

import pytest
import riffle_io
from conftest import ODDITIES, Steps, StepsOfReadinto
from inputs import CHUNKED, Callback, Store, Upper, chunked, of_urllib3, response, sized


def test_a_callback_gets_the_size_of_each_read(oddities):
    sizes = []
    with open(oddities, "rb") as file:
        assert riffle_io.count_lines(Callback(sizes.append, file)) == ODDITIES.count(b"\n")
    assert sum(sizes) == len(ODDITIES)


def test_the_name_is_that_of_the_object(oddities):
    with open(oddities, "rb") as file:
        assert riffle_io.lines(file).name == os.fspath(oddities)
        assert riffle_io.lines(Upper(file)).name == riffle_io.lines(Store(b"")).name == "stream"


def test_an_error_names_the_file_of_a_file_object(tmp_path):
    with gzip.open(tmp_path / "a.gz", "wb") as file:
        file.write(b'"a')
    with gzip.open(tmp_path / "a.gz") as file, pytest.raises(riffle_io.RiffleError, match="cannot read '/.*/a.gz' at byte 0"):
        list(riffle_io.rows(file))
    with pytest.raises(riffle_io.RiffleError, match="cannot read 'stream' at byte 0"):
        list(riffle_io.rows(Upper(io.BytesIO(b'"a'))))
    (tmp_path / "a").write_bytes(b'"a')
    path = os.fsencode(tmp_path / "a")
    for opened in open(tmp_path / "a", "rb"), open(path, "rb"), io.FileIO(tmp_path / "a"):
        with opened as file, pytest.raises(riffle_io.RiffleError, match="cannot read '/.*/a' at byte 0") as raised:
            list(riffle_io.rows(file))
        assert raised.value.filename == str(tmp_path / "a")
    descriptor = os.open(path, os.O_RDONLY)
    with open(descriptor, "rb") as file, pytest.raises(riffle_io.RiffleError, match=f"'descriptor {descriptor}'"):
        list(riffle_io.rows(file))


@pytest.mark.parametrize("headers", [b"Content-Length: 8", CHUNKED])
def test_a_line_of_a_response_is_delivered_at_once(headers):
    here, there = socket.socketpair()
    here.settimeout(60)
    of_chunk = b"4\r\n%b\r\n" if headers == CHUNKED else b"%b"
    there.sendall(b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n\r\n" + of_chunk % b"one\n")
    made = http.client.HTTPResponse(here)
    made.begin()
    lines = riffle_io.lines(made)
    assert next(lines) == b"one"
    there.sendall(of_chunk % b"two\n" + (b"0\r\n\r\n" if headers == CHUNKED else b""))
    assert list(lines) == [b"two"]
    there.close()


@pytest.mark.parametrize(
    ("cut", "lines"),
    [(lambda: response(sized(ODDITIES), ODDITIES[:-5]), 1),
     (lambda: response(CHUNKED, chunked(ODDITIES)[:-20]), 1),
     (lambda: of_urllib3(sized(ODDITIES), ODDITIES[:-5]), 0)],
)  # fmt: skip
def test_a_response_that_is_shorter_than_its_length_is_an_error(cut, lines):
    found = []
    with pytest.raises(Exception, match="IncompleteRead"):
        for line in riffle_io.lines(cut()):
            found.append(line)
    assert len(found) >= lines and found == ODDITIES[:-5].split(b"\n")[: len(found)]


@pytest.mark.parametrize("kind", [Steps, StepsOfReadinto])
@pytest.mark.parametrize("late", [None, BlockingIOError])
def test_lines_wait_for_a_file_object_that_has_no_bytes_yet(kind, late):
    assert list(riffle_io.lines(kind(b"one\ntw", late, late, late, b"o\nthree", late, b""))) == [b"one", b"two", b"three"]


NONBLOCKING = {
    "descriptor": lambda reading: reading,
    "FileIO": lambda reading: open(reading, "rb", buffering=0, closefd=False),
    "BufferedReader": lambda reading: open(reading, "rb", closefd=False),
    "method read": lambda reading: reading,
}


@pytest.mark.parametrize("kind", NONBLOCKING)
def test_lines_wait_for_a_descriptor_that_does_not_block(kind):
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.write(writing, b"one\ntw")
    lines = riffle_io.lines(NONBLOCKING[kind](reading), method="read" if "method" in kind else "automatic")
    assert next(lines) == b"one"
    for part in b"o\n", b"three":
        threading.Timer(0.05, os.write, [writing, part]).start()
        if part == b"o\n":
            assert next(lines) == b"two"
    threading.Timer(0.15, os.close, [writing]).start()
    assert list(lines) == [b"three"]
    os.close(reading)
