"""Bytes on which readers of lines disagree, a plain loop that says which records they hold, and fixtures of both."""

import pytest

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


@pytest.fixture
def oracle(tmp_path):
    """A file with the content."""
    path = tmp_path / "oracle.txt"
    path.write_bytes(content())
    return path


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
