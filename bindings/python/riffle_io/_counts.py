"""What `count_text` returns."""

from collections import namedtuple

TYPE_CHECKING = False  # type checkers take it for true; typing takes long to import
if TYPE_CHECKING:
    from typing import NamedTuple

    class _Fields(NamedTuple):
        lines: int
        words: int
        characters: int
        bytes: int
        longest_line: int
else:
    _Fields = namedtuple("TextCounts", "lines words characters bytes longest_line")


class TextCounts(_Fields):
    """The counts of a text, as a plain value. What was not asked for is 0; bytes are always counted.

    `lines` are newlines. `longest_line` is the largest width of a line, in columns of a terminal.
    """

    __slots__ = ()


TextCounts.__module__ = "riffle_io"
