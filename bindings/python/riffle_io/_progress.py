"""Reports to a bar or a function how much of its sources a call has read."""

import os
from itertools import accumulate


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
    from riffle_io._files import is_buffer, is_plain
    from riffle_io._splits import Split

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
