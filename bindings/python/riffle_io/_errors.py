"""Defines the exceptions: one class of riffle's own, joined with the subclass of OSError that fits the errno."""

import errno
import os


class RiffleError(OSError):
    """A failure to open or read an input.

    Each instance is also an instance of the built-in class of its errno: a missing file is a FileNotFoundError,
    a failed allocation a MemoryError. The records before the failure were correct.
    """

    offset: int | None = None
    """Where the input failed, in bytes from its start; None if the failure has no place."""

    compressed_offset: int | None = None
    """Where a compressed input failed, in compressed bytes from its start; None if riffle does not decode it."""

    operation: str = ""
    """What failed: "open", "read", "map"."""

    _message: str | None = None  # of riffle; Python code may make an error too

    def __str__(self) -> str:
        return super().__str__() if self._message is None else self._message

    def __reduce__(self) -> "str | tuple[object, ...]":
        if self._message is None:
            return super().__reduce__()
        fields = self.filename, self.offset, self.operation, self.compressed_offset
        return make_error, (self.errno, self._message, *fields)


_class_of_builtin: dict[type, type[RiffleError]] = {OSError: RiffleError}


def make_error(code, message, path, offset, operation, compressed_offset=None):
    """Returns the exception of a failure, of the class that fits its errno."""
    builtin = MemoryError if code == errno.ENOMEM else type(OSError(code, ""))
    if builtin not in _class_of_builtin:
        members = {"__doc__": RiffleError.__doc__, "__module__": "riffle_io"}
        _class_of_builtin[builtin] = type("RiffleError", (RiffleError, builtin), members)
    made = _class_of_builtin[builtin](code, os.strerror(code), path)
    made._message, made.offset, made.operation = message, offset, operation
    made.compressed_offset = compressed_offset
    return made


def add_place(error, name, offset, size):
    """Adds a note to the exception of a codec: where the line of so many bytes starts, and the byte that is no text."""
    place = f"in the line that starts at byte {offset}"
    if isinstance(error, UnicodeDecodeError):
        dropped = max(size - len(error.object), 0)  # a byte order mark
        place = f"at byte {offset + dropped + error.start}, {place}"
    error.add_note(f"{place} of '{name}'")


def stop_iteration_error(error, by):
    """Returns what is raised in place of a StopIteration of user code."""
    made = RuntimeError(f"{by} raised StopIteration")
    made.__cause__ = error
    return made
