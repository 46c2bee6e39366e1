"""Bytes on which readers of lines disagree, a plain loop that says which records they hold, and fixtures of both."""

import errno
import struct
import zlib

import pytest
import riffle_io

LINES = [
    b"plain",
    b"",
    b"crlf\r",
    b"lone\rcr",
    b"nul\x00byte",
    b"vt\x0bff\x0cend",
    b"fs\x1cgs\x1drs\x1eus\x1fend",
    "nel\u0085ls\u2028ps\u2029end".encode(),
    b"bad\xff\xc3(utf8",
    b"",
    b"",
    b'semi;colon,"quote',
    b"\xef\xbb\xbfbom",
    b" no newline",
]


def content(delimiter=b"\n", repeat=1):
    """Returns LINES `repeat` times, each ended by the delimiter except the very last."""
    return delimiter.join(LINES * repeat)


def records(data, delimiter=b"\n", keep=False):
    """Returns the records of `data`: each ends at a delimiter, the last one also at the end."""
    found, start = [], 0
    while start < len(data):
        end = data.find(delimiter, start)
        end = len(data) if end < 0 else end
        found.append(data[start : end + len(delimiter)] if keep else data[start:end])
        start = end + len(delimiter)
    return found


def decodes(name):
    """Returns whether riffle was built with what decodes a format."""
    try:
        riffle_io.count_lines(b"", decode=name)
    except riffle_io.RiffleError as error:
        return error.errno != errno.ENOTSUP
    return True


needs_bzip2 = pytest.mark.skipif(not decodes("bzip2"), reason="riffle was built without libbz2")
needs_gzip = pytest.mark.skipif(not decodes("gzip"), reason="riffle was built without zlib and igzip")


def bgzf(data, size=1000):
    """Returns `data` as BGZF: blocks of `size` bytes, each a gzip member that says how long it is, and an empty one."""
    blocks = []
    for start in range(0, len(data) + size, size):
        part = data[start : start + size]
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(part) + packer.flush()
        header = struct.pack("<4BLBB3H", 31, 139, 8, 4, 0, 0, 255, 6, 0x4342, 2)
        blocks += [header, struct.pack("<H", len(packed) + 25), packed, struct.pack("<LL", zlib.crc32(part), len(part))]
    return b"".join(blocks)


@pytest.fixture
def write(tmp_path):
    """Returns a function that writes a file and returns its path."""

    def write(data, name="file"):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


@pytest.fixture
def oracle(write):
    """A file with the content."""
    return write(content(), "oracle.txt")


@pytest.fixture
def half_then_die(tmp_path):
    """A function of a split that kills its process half-way, the first time; and the file it leaves then."""
    marker = tmp_path / "killed"

    def count(split):
        import os
        import signal

        import riffle_io

        lines = riffle_io.read_split(split)
        counted = sum(1 for _, _ in zip(range(2), lines))
        if split.begin > 0 and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return counted + sum(1 for _ in lines)

    return count, marker
