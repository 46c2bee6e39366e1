"""Splits the files that URLs name, by fsspec, for other processes and machines."""

import errno
import os
import re

from riffle_io import _ranges, _riffle
from riffle_io._errors import make_error


def is_url(source):
    """Returns whether fsspec opens this source: a str such as "s3://bucket/key" that is no name of a local file."""
    return (
        isinstance(source, str)
        and re.match(r"[a-z][a-z0-9+.-]+(::|://)", source, re.IGNORECASE) is not None
        and not source.lower().startswith("file:")
        and not os.path.lexists(source)
    )


def name_of(file):
    """Returns the URL or the path by which another process can open what a file of fsspec reads."""
    url = file.fs.unstrip_protocol(file.path)
    if url.startswith("file:"):
        return file.path
    if _ranges.file_system_of(url)[0] != file.fs:
        raise ValueError(
            f"cannot split '{url}': another process would open it with other options; set those of the file system "
            "in the configuration of fsspec (a variable such as FSSPEC_S3, or a file) and pass the URL"
        )
    return url


def matches(url):
    """Returns the URLs that match, sorted, if it is a pattern such as "s3://bucket/*.log"; else the URL alone."""
    if not re.search(r"[*?[]", url) or url.startswith("http"):
        return [url]
    fs, path = _ranges.file_system_of(url)
    found = sorted(fs.glob(path))
    if not found:
        raise make_error(errno.ENOENT, f"no file matches '{url}'", url, None, "open")
    return [fs.unstrip_protocol(each) for each in found]


def splits_of(url, split_size, decode, rows):
    """Returns the fields of each Split of the file of a URL, as _riffle.splits_of does for a path."""
    requests = _ranges.requests_of_url(url)
    size, *state = _ranges.state_of(requests.info().result())
    if decode == "automatic":
        decode = _riffle.format_of(bytes(requests.request(0, min(size, 64)).result()) if size else b"")
    if decode != "none":
        return [(url, 0, size, size, *state, decode)] if size else []
    if not rows:
        bounds = [*range(0, size, split_size), size]
    else:
        reader = requests.reader(0, size, size)
        bounds = [*_riffle.row_bounds(reader, split_size, size, **rows)] if size else [0]
    return [(url, begin, end, size, *state) for begin, end in zip(bounds, bounds[1:])]
