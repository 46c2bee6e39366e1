"""Bytes on which readers of lines disagree, and a plain loop that says which records they hold."""

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
