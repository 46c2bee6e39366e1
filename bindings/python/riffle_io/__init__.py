"""Reads lines, words, values and bytes of any input, by the C++ library riffle."""

from riffle_io._errors import RiffleError
from riffle_io._riffle import Lines, __version__, lines

__all__ = ["Lines", "RiffleError", "__version__", "lines"]
