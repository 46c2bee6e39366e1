"""Defines the exceptions: one class of riffle's own, joined with the subclass of OSError that fits the errno."""

import errno
import os


class RiffleError(OSError):
    """A failure to open or read an input.

    Each instance is also an instance of the built-in class of its errno: a missing file is a FileNotFoundError,
    a failed allocation a MemoryError, compressed bytes that are cut an EOFError. The records before the failure were
    correct.
    """

    offset: int | None = None
    """Where the input failed, in bytes from its start; None if the failure has no place."""

    compressed_offset: int | None = None
    """Where a compressed input failed, in compressed bytes from its start; None if riffle does not decode it."""

    operation: str = ""
    """What failed: "open", "read", "map"."""

    remedy: tuple[str, str] | None = None
    """What helps, as `advice` of the C++ library names it, and its value: ("use_method", "read") means method="read",
    ("larger_max_length", "") a larger max_length. None if nothing of riffle helps."""

    _message: str | None = None  # of riffle; Python code may make an error too

    def __str__(self) -> str:
        return super().__str__() if self._message is None else self._message

    def __reduce__(self) -> "str | tuple[object, ...]":
        if self._message is None:
            return super().__reduce__()
        fields = self.filename, self.offset, self.operation, self.compressed_offset, isinstance(self, EOFError), self.remedy
        return make_error, (self.errno, self._message, *fields)


_LONGEST_NAME = 300  # in a message; `filename` has it whole
_OF_TEXT = "; a str is a path: pass bytes to read the text itself"
_class_of_bases: dict[tuple[type, ...], type[RiffleError]] = {(OSError,): RiffleError}


def make_error(code, message, path, offset, operation, compressed_offset=None, ended=False, remedy=None):
    """Returns the exception of a failure, of the class that fits its errno. `ended`: as an EOFError too, it is cut."""
    bases = (MemoryError if code == errno.ENOMEM else type(OSError(code, "")),) + (EOFError,) * ended
    if bases not in _class_of_bases:
        members = {"__doc__": RiffleError.__doc__, "__module__": "riffle_io"}
        _class_of_bases[bases] = type("RiffleError", (RiffleError, *bases), members)
    if len(path) > _LONGEST_NAME:
        message = message.replace(path, path[:_LONGEST_NAME] + "...")
    if operation == "open" and "\n" in path and not message.endswith(_OF_TEXT):
        message += _OF_TEXT
    made = _class_of_bases[bases](code, os.strerror(code), path)
    made._message, made.offset, made.operation = message, offset, operation
    made.compressed_offset, made.remedy = compressed_offset, remedy
    return made


def add_place(error, name, offset, size):
    """Adds a note to the exception of a codec: where the line of so many bytes starts, and the byte that is no text."""
    place = f"in the line that starts at byte {offset}"
    if isinstance(error, UnicodeDecodeError):
        dropped = max(size - len(error.object), 0)  # a byte order mark
        place = f"at byte {offset + dropped + error.start}, {place}"
    error.add_note(f"{place} of '{name}'")
