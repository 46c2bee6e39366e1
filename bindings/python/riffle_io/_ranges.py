"""Reads ranges of a file on high-latency storage, several at once, offers their bytes in order, and splits files of URLs."""

import errno
import os
import sys
from collections import deque
from time import monotonic

from riffle_io import _riffle
from riffle_io._errors import make_error
from riffle_io._files import has

RANGE = 8 << 20
FIRST_IN_FLIGHT, MOST_IN_FLIGHT = 8, 32
_OF_A_PARENT: list["RangeReader"] = []


class RangeReader:
    """Offers the bytes from begin to end in order, a range at a time. native/python_stream.cpp reads it.

    request(begin, end) returns a `concurrent.futures.Future` of the bytes. The reader doubles the ranges in flight
    as long as that makes the reading faster, up to `most`. info() returns a future of a dict, as `info` of fsspec does,
    which tells that the file changed. It is called when the reading starts and at the end. An exception ends all
    requests. The child of a fork lacks the threads that serve them, and may not touch what those had locked.
    """

    def __init__(self, request, info, begin, end, size, *, name, most=MOST_IN_FLIGHT):
        self._request, self._next, self._end, self._most = request, begin, end, most
        self._name, self._size, self._info, self._known = name, size, info, None
        self._depth = min(FIRST_IN_FLIGHT, most)
        self._taken, self._waited, self._since, self._speed = 0, False, monotonic(), 0.0  # since it changed
        self._flight = deque()  # the begin, the end and the future of each range
        self._process = os.getpid()

    def take_range(self):
        """Returns the bytes of the next range, or of a part of it; none at the end."""
        if self._process != os.getpid():
            message = "another process opened it and has the threads that read; open it again"
            raise make_error(errno.EPERM, f"cannot read '{self._name}': {message}", self._name, None, "read")
        try:
            return self._take_range()
        except BaseException:  # also of a signal handler
            self.close()
            raise

    def close(self):
        if self._process != os.getpid():
            _OF_A_PARENT.append(self)  # aiohttp would close what it has in the epoll that a fork shares with its parent
            return
        self._next = self._end = 0
        if self._known is not None:
            self._known.cancel()
        while self._flight:
            self._flight.popleft()[2].cancel()

    def _take_range(self):
        if self._known is None:
            self._known = self._info()
        self._ask()
        if not self._flight:
            self._finish()
            return b""
        begin, end, future = self._flight[0]
        self._waited |= not future.done()
        part = memoryview(future.result()).cast("B")
        require_fitting(part, begin, end, self._name)
        self._flight.popleft()
        self._adapt()
        if len(part) < end - begin:  # a short answer
            begin += len(part)
            self._flight.appendleft((begin, end, self._request(begin, end)))
        return part

    def _adapt(self):
        # More in flight than make it faster would only take memory that is not in the caches.
        self._taken += 1
        if self._taken < self._depth or not self._waited:
            return
        now = monotonic()
        speed = self._taken / max(now - self._since, 1e-9)
        if speed > 1.1 * self._speed:
            self._depth = min(2 * self._depth, self._most)
        else:
            self._most = self._depth
        self._speed, self._taken, self._since, self._waited = speed, 0, now, False

    def _ask(self):
        while self._next < self._end and len(self._flight) < self._depth:
            end = min(self._next + RANGE, self._end)
            self._flight.append((self._next, end, self._request(self._next, end)))
            self._next = end

    def _finish(self):
        if self._end:
            self._end = 0
            _, *known = state_of(self._known.result())
            require_same((self._size, *known), state_of(self._info().result()), self._name)


def reader_of(file, function):
    """Returns a RangeReader from the position of a file object, or None if it has no ranges that are worth it.

    That is a file that fsspec opened on an asynchronous file system, or on one with `cat_ranges` of its own, and an
    object that has a function of ranges, which gets the starts and the ends, and `size`.
    """
    spec = sys.modules.get("fsspec.spec")
    if spec and issubclass(type(file), spec.AbstractBufferedFile):
        requests = _Requests(file.fs, file.path)
        if file.mode != "rb" or not isinstance(file.size, int) or requests.most == 1:
            return None
        return requests.reader(file.tell(), file.size, file.size)
    if function is None:
        return None
    get = getattr(file, function)

    def size():
        return file.size() if callable(file.size) else file.size

    begin, end = file.tell() if has(file, "tell") else 0, size()
    request = _in_thread(lambda begin, end: get([begin], [end])[0])
    info = _in_thread(lambda: {"size": size()})
    return RangeReader(request, info, begin, end, end, name=type(file).__name__)


def reader_of_split(split, delimiter, record_size):
    """Returns a RangeReader of the records that start in a split of a URL: delimiter ends one, or each has a size."""
    requests = requests_of_url(split.path)
    state = state_of(requests.info().result())
    require_same((split.size, split.mtime_ns, split.inode), state, split.path, split.begin)
    if not split.begin <= split.end <= split.size:
        message = f"bytes {split.begin} to {split.end} are no split of a file of {split.size} bytes"
        raise make_error(errno.EINVAL, f"cannot read '{split.path}': {message}", split.path, None, "read")

    def first_record(begin, stop):
        if begin == 0 or begin >= stop:
            return begin
        if delimiter is None:
            return min(begin + -begin % record_size, stop)
        begin -= 1  # a delimiter here ends the record before
        while begin < stop:
            end = min(begin + (64 << 10), split.size)
            region = bytes(requests.request(begin, end).result())
            require_fitting(region, begin, end, split.path)
            found = region.find(delimiter)
            if found >= 0:
                return begin + found + 1
            begin += len(region)
        return stop

    begin = first_record(split.begin, split.end)
    end = first_record(split.end, split.size) if begin < split.end else begin
    return requests.reader(begin, end, split.size)


def is_url(source):
    """Returns whether fsspec opens this source: a str such as "s3://bucket/key" that is no name of a local file."""
    import re  # which takes long to import

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
    if file_system_of(url)[0] != file.fs:
        raise ValueError(
            f"cannot split '{url}': another process would open it with other options; set those of the file system "
            "in the configuration of fsspec (a variable such as FSSPEC_S3, or a file) and pass the URL"
        )
    return url


def matches(url):
    """Returns the URLs that match, sorted, if it is a pattern such as "s3://bucket/*.log"; else the URL alone."""
    if not set("*?[") & set(url) or url.startswith("http"):
        return [url]
    fs, path = file_system_of(url)
    found = sorted(fs.glob(path))
    if not found:
        raise make_error(errno.ENOENT, f"no file matches '{url}'", url, None, "open")
    return [fs.unstrip_protocol(each) for each in found]


def splits_of(url, split_size, decode, rows):
    """Returns the fields of each Split of the file of a URL, as _riffle.splits_of does for a path."""
    requests = requests_of_url(url)
    size, *state = state_of(requests.info().result())
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


class _Requests:
    """The requests for the ranges and the state of one file of a file system of fsspec."""

    def __init__(self, fs, path):
        self.fs, self.path = fs, path
        self.most = MOST_IN_FLIGHT
        if fs.async_impl and not fs.asynchronous:
            self.request = self._in_loop(lambda begin, end: fs._cat_file(path, start=begin, end=end))
            self._info = self._in_loop(lambda: fs._info(path))
            return
        from fsspec.spec import AbstractFileSystem

        self._info = _in_thread(lambda: fs.info(path))
        if type(fs).cat_ranges is AbstractFileSystem.cat_ranges:
            self.most = 1  # nothing promises that it serves several threads
            self.request = _in_thread(lambda begin, end: fs.cat_file(path, start=begin, end=end))
        else:
            self.request = _in_thread(
                lambda begin, end: fs.cat_ranges([path], [begin], [end], on_error="raise")[0]
            )

    def _in_loop(self, get):
        from asyncio import run_coroutine_threadsafe

        return lambda *range: run_coroutine_threadsafe(get(*range), self.fs.loop)

    def info(self):
        self.fs.invalidate_cache(self.path)
        return self._info()

    def reader(self, begin, end, size):
        return RangeReader(self.request, self.info, begin, end, size, name=self.path, most=self.most)


def state_of(info):
    """Returns the size, the time of modification and a number made of the etag, as a Split holds them."""
    return info["size"], _nanoseconds(_first(info, TIMES) or 0), _number(_first(info, TAGS))


TIMES = "mtime", "LastModified", "last_modified", "Last-Modified", "updated", "created"
TAGS = "ETag", "etag", "e_tag", "Content-MD5", "Digest", "md5Hash", "generation"


def requests_of_url(url):
    """Returns the requests for the file of a URL. Raises ImportError if fsspec, or what it needs, is missing."""
    fs, path = file_system_of(url)
    return _Requests(fs, path)


def file_system_of(url):
    """Returns the file system of a URL, with the options of the configuration of fsspec, and the path in it."""
    try:
        import fsspec.core
    except ImportError as error:
        raise ImportError(f"cannot open '{url}': fsspec is not installed; pip install fsspec") from error
    return fsspec.core.url_to_fs(url)


def require_fitting(part, begin, end, name):
    """Raises RiffleError if these bytes cannot be an answer for this range."""
    if len(part) > end - begin:
        message = f"it returned {len(part)} bytes for a range of {end - begin}; read it without ranges"
    elif len(part) == 0 and end > begin:
        message = "it ended early: the file changed while it was in use; read it again"
    else:
        return
    raise make_error(errno.EIO, f"cannot read '{name}' at byte {begin}: {message}", name, begin, "read")


def require_same(then, now, name, offset=None):
    """Raises RiffleError if the state of a file differs. An inode of 0 is not compared."""
    for what, before, after in zip(("size", "time of modification", "etag"), then, now):
        if before != after and not (what == "etag" and before == 0):
            message = f"the file changed: its {what} was {before}, and is {after} now; read it again"
            raise make_error(errno.EIO, f"cannot read '{name}': {message}", name, offset, "read")


def _in_thread(get):
    """Returns get, which then runs in a thread of its own and gives a future."""
    from concurrent.futures import Future, InvalidStateError
    from threading import Thread

    def run(future, *range):
        try:
            result, finish = get(*range), future.set_result
        except BaseException as error:
            result, finish = error, future.set_exception
        try:
            finish(result)
        except InvalidStateError:  # it was cancelled
            pass

    def request(*range):
        future = Future()
        Thread(target=run, args=(future, *range), daemon=True).start()
        return future

    return request


def _first(info, names):
    return next((info[name] for name in names if info.get(name)), None)


def _nanoseconds(time):
    if isinstance(time, str):
        from email.utils import parsedate_to_datetime

        try:
            time = parsedate_to_datetime(time)
        except ValueError:
            from datetime import datetime

            time = datetime.fromisoformat(time)
    return round(1e9 * time) if isinstance(time, (int, float)) else round(1e6 * time.timestamp()) * 1000


def _number(tag):
    if tag is None:
        return 0
    from hashlib import blake2b

    return int.from_bytes(blake2b(str(tag).encode(), digest_size=8).digest(), "big") or 1
