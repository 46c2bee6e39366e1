"""Decides what a source is, one or several, how a file object is read, waited for and complete, and tells the progress."""

import io
import os
import sys
from itertools import accumulate
from time import sleep

from riffle_io._splits import Split

_FUNCTIONS = "take_range", "readinto1", "readinto", "read"
_RANGES = "read_ranges", "get_ranges"


def sources_of(source):
    """Returns the list of the sources: those of an iterable, or the only one. Patterns become the files they match."""
    several = list(source) if _is_several(source) else [source]
    return [each for item in several for each in _matches(item)]


def _is_several(source):
    if isinstance(source, (str, bytes, bytearray, memoryview, int, os.PathLike, Split)):
        return False
    if any(hasattr(source, name) for name in ("read", "readinto", "readinto1")):
        return False
    return hasattr(source, "__iter__") and not is_buffer(source)


def is_buffer(source):
    try:
        memoryview(source).release()
    except TypeError:
        return False
    return True


def _matches(source):
    """Returns the files that a pattern matches, or the source itself."""
    if not isinstance(source, (str, os.PathLike)):
        return [source]
    path = os.fsdecode(source)
    if "*" not in path and "?" not in path and "[" not in path:
        return [source]
    from riffle_io._engines import local_paths

    return local_paths([source])


def reading_of(source):
    """Returns the file to read, the name of its function that reads, and whether its descriptor has the same bytes.

    Raises TypeError if source is a file in text mode, or has no such function.
    """
    file = source.file if _is_temporary(source) else source
    if isinstance(file, io.TextIOBase):
        raise TypeError("source is a file in text mode: open it in binary mode ('rb'), or pass its .buffer")
    if "read" in _attributes(file):
        return file, "read", False
    function = _function_of(file)
    if function is None:
        message = "source must be a path, a descriptor, a binary file object or bytes-like, not "
        several = "; pass one of them" if isinstance(file, (list, tuple)) else ""
        raise TypeError(message + type(file).__name__ + several)
    from riffle_io import _ranges

    ranges = _ranges.reader_of(file, function if function in _RANGES else None)
    if ranges is not None:
        return ranges, "take_range", False
    return file, function, is_plain(file)


def open_file(path):
    """Returns Python's own unbuffered file of a path. Raises RiffleError."""
    from riffle_io._errors import make_error

    try:
        return io.FileIO(path)
    except OSError as error:
        name = os.fsdecode(path)
        raise make_error(error.errno, f"cannot open '{name}': {error.strerror}", name, None, "open") from None


def has(source, name):
    """Returns whether an object or its class has an attribute: what `__getattr__` forwards is that of another one."""
    return name in _attributes(source) or any(name in vars(each) for each in type(source).__mro__)


def name_of(file):
    """Returns the name of a file object; None if it has none that is a path."""
    name = getattr(file, "name", None) if has(file, "name") else None
    return os.fsdecode(name) if isinstance(name, (str, bytes, os.PathLike)) else None


def wait_for(file, again):
    """Waits until a file object that had no bytes may have some. `again`: it had none after such a wait either.

    It asks the descriptor, if there is one, and sleeps if that does not tell. What a signal handler raises ends
    the wait.
    """
    try:
        descriptor = file.fileno() if has(file, "fileno") else None
    except OSError:
        descriptor = None
    if again or descriptor is None:
        sleep(0.01)
    if descriptor is not None:
        wait_for_descriptor(descriptor)


def wait_for_descriptor(descriptor):
    """Waits until a descriptor has bytes, or its end."""
    import select

    asked = select.poll()
    asked.register(descriptor, select.POLLIN)
    asked.poll()


def require_whole(file):
    """Raises IncompleteRead if a file object that ended is a response of http.client that lacks bytes."""
    client = sys.modules.get("http.client")
    if client and isinstance(file, client.HTTPResponse) and file.length:
        raise client.IncompleteRead(b"", file.length)


def _attributes(source):
    try:
        return object.__getattribute__(source, "__dict__")
    except AttributeError:
        return {}


def _is_temporary(source):
    # What tempfile.NamedTemporaryFile returns: it changes no bytes.
    kind = type(source)
    return (kind.__module__, kind.__name__) == ("tempfile", "_TemporaryFileWrapper")


def _function_of(file):
    """Returns the name of a function of the most derived class that has one: it knows what the classes before it did.

    Else an object gets its functions by `__getattr__`, and `read` is the one that wrappers replace.
    """
    names = (*_RANGES, *_FUNCTIONS) if has(file, "size") else _FUNCTIONS
    if hasattr(file, "encoding") and hasattr(file, "read"):
        return "read"  # which says whether it is text
    for each in type(file).__mro__:
        own = set(vars(each))
        if {"read", "read1"} <= own and getattr(each, "readinto1", None) is io.BufferedIOBase.readinto1:
            own.add("readinto1")  # it calls read1
        found = next((name for name in names if name in own), None)
        if found is not None:
            return found
    return next((name for name in ("read", *names) if hasattr(file, name)), None)


def is_plain(file):
    """Returns whether it only stands before a descriptor. A class or a `read` of the user's has one too, but other bytes."""
    if "read" in _attributes(file):
        return False
    if type(file) is io.FileIO:
        return file.readable()
    return type(file) in (io.BufferedReader, io.BufferedRandom) and type(file.raw) is io.FileIO


class Progress:
    """Passes on the bytes that were read so far, and the size of all sources."""

    def __init__(self, to, sources):
        if not callable(to) and not hasattr(to, "update"):
            raise TypeError(f"progress must be a function, or a bar with update() as tqdm's, not {type(to).__name__}")
        sizes = [_size_of(each) for each in sources]
        self._to, self._total = to, None if None in sizes else sum(sizes)
        self._ends = None if None in sizes else accumulate(sizes)
        self._done = self._skipped = 0

    def __call__(self, done, ended):
        if self._total is not None:
            if ended:
                self._skipped = next(self._ends, self._total) - done
            # Several threads read the ends of parts twice, and the records of a split end elsewhere than it does.
            done = min(max(done + self._skipped, self._done), self._total)
        step, self._done = done - self._done, done
        if callable(self._to):
            self._to(done, self._total)
            return
        if self._total is not None:
            self._to.total = self._total
        self._to.update(step)


def _size_of(source):
    """Returns the bytes of a source from where it stands, as they are stored; None if that is unknown."""
    if isinstance(source, Split):
        return source.end - source.begin
    if isinstance(source, (str, os.PathLike)):
        return os.path.getsize(source) if os.path.isfile(source) else None
    if is_buffer(source):
        return memoryview(source).nbytes
    file = source if isinstance(source, int) else source.fileno() if is_plain(source) else -1
    if not os.path.isfile(file):
        return None
    at = os.lseek(source, 0, os.SEEK_CUR) if isinstance(source, int) else source.tell()
    return max(os.path.getsize(file) - at, 0)
