"""Turns what a user passes as one source or several into a list of sources."""

import os

from riffle_io._splits import Split


def sources_of(source):
    """Returns the list of the sources: those of an iterable, or the only one. Patterns become the files they match."""
    several = list(source) if _is_several(source) else [source]
    return [each for item in several for each in _matches(item)]


def _is_several(source):
    if isinstance(source, (str, bytes, bytearray, memoryview, int, os.PathLike, Split)):
        return False
    if any(hasattr(source, name) for name in ("read", "readinto", "readinto1")):
        return False
    return hasattr(source, "__iter__") and not _is_buffer(source)


def _is_buffer(source):
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
