"""Makes functions of the extension what those of Python are, with a signature, types and errors, and has what `count_text` and `sum_by` return."""

import _collections_abc as abc
import os
import sys
from collections import namedtuple

from riffle_io import _riffle

TYPE_CHECKING = False  # type checkers take it for true; typing takes long to import
if TYPE_CHECKING:
    from typing import NamedTuple

    class _Fields(NamedTuple):
        lines: int
        words: int
        characters: int
        bytes: int
        longest_line: int

    class _Stats(NamedTuple):
        count: int  # type: ignore[assignment]  # it hides the method of tuple
        min: float | None
        max: float | None
        sum: float
        mean: float | None
        nulls: int
else:
    _Fields = namedtuple("TextCounts", "lines words characters bytes longest_line")
    _Stats = namedtuple("ColumnStats", "count min max sum mean nulls")


class TextCounts(_Fields):
    """The counts of a text, as a plain value. What was not asked for is 0; bytes are always counted.

    `lines` are newlines. `longest_line` is the largest width of a line, in columns of a terminal.
    """

    __slots__ = ()


class ColumnStats(_Stats):
    """What `sum_by` knows of the numbers of a column beside a key. `min`, `max` and `mean` are None of no numbers.

    `min` and `max` are those of the numbers that are not NaN. `nulls` is how many fields were null.
    """

    __slots__ = ()


# As the module types has them. No module is loaded for what annotations name: typing takes long to import.
GenericAlias, SimpleNamespace = type(list[int]), type(sys.implementation)


class _Any:
    """Stands for a class of typing or of the stubs: as theirs, it takes types in brackets."""

    __class_getitem__ = classmethod(GenericAlias)  # type: ignore[var-annotated]


# A file object in binary mode, and that more keywords follow.
SupportsRead, Unpack = (type(name, (_Any,), {}) for name in ("SupportsRead", "Unpack"))


class _Polars:
    """Is the module polars, which may not be installed."""

    def __getattr__(self, name):
        import polars

        return getattr(polars, name)


def names_of_types():
    """Returns what the annotations of the public functions name, for typing.get_type_hints."""
    riffle_io = sys.modules["riffle_io"]
    path, buffer = int | str | bytes | os.PathLike, bytes | bytearray | memoryview
    source = path | buffer | SupportsRead[bytes] | riffle_io.Split
    return {
        "_typeshed": SimpleNamespace(FileDescriptorOrPath=path, ReadableBuffer=buffer, SupportsRead=SupportsRead),
        "_Source": source, "_Sources": source | abc.Iterable[source], "_Type": str | type, "_Byte": bytes | str,
        "_Method": str, "_Decode": str, "_BadRows": str, "_Progress": abc.Callable, "_DialectName": str, "_OfRows": dict, "_OfLines": dict, "Unpack": Unpack,
        "Any": object, "Callable": abc.Callable, "Iterable": abc.Iterable, "Mapping": abc.Mapping, "Sequence": abc.Sequence, "Split": riffle_io.Split,
        "collections": SimpleNamespace(abc=abc), "os": os, "SupportsRead": SupportsRead, "polars": _Polars(), "riffle_io": riffle_io,
    }  # fmt: skip


def pattern_of(function):
    """Returns a function of Python with the parameters and docs of one of the extension. It returns its arguments.

    Its annotations are text.
    """
    ((header, text, *rest),) = function.__nb_signature__
    defaults = rest[0] if rest and rest[0] else ()
    for number in reversed(range(len(defaults))):
        header = header.replace(f"\\{number}", f"_defaults[{number}]")
    names = {**names_of_types(), "_defaults": defaults, "__name__": "riffle_io"}
    annotations = 0x1000000  # of __future__, which would load a module: the types stay text
    exec(compile(f"{header}: return locals()", "<riffle_io>", "exec", annotations), names)
    made = names[function.__name__]
    made.__doc__, made.__qualname__ = text, function.__qualname__
    return made


_KINDS = {"int": int, "str": str, "bytes": bytes, "bool": bool, "None": type(None)}
_WORDS = {"_Method": "str", "_Decode": "str", "_Type": "type", "collections.abc.": ""}  # of the annotations, in messages


def explained(error, pattern, args, keywords):
    """Returns an error that names the argument of the wrong type, in place of one that has the types of all."""
    if "incompatible function arguments" not in str(error):
        return error
    try:
        given = pattern(*args, **(keywords or {}))
    except TypeError as wrong:  # the number of arguments, or a keyword
        return wrong.with_traceback(None)
    made = error
    for name, value in given.items():
        kind = pattern.__annotations__.get(name, "")
        for word, public in _WORDS.items():
            kind = kind.replace(word, public)
        words = kind.split(" | ")
        if value is None and "None" not in words:
            return TypeError(f"{name} must not be None")
        if set(words) <= set(_KINDS) and value is not ...:  # the default of quote
            if not isinstance(value, tuple(_KINDS[word] for word in words)):
                return TypeError(f"{name} must be {' or '.join(words)}, not {type(value).__name__}")
            if isinstance(value, int) and value < 0:
                return ValueError(f"{name} must be 0 or more, not {value}")
            if isinstance(value, int) and value >= 1 << (31 if name == "threads" else 64):
                return ValueError(f"{name} is too large: {value}")
        elif kind.startswith("Sequence[") and isinstance(value, (str, bytes)):
            return TypeError(f"{name} must be {kind}, not {value!r:.40}")
        elif made is error and name not in ("self", "source", "progress") and value is not None and value is not ...:
            made = TypeError(f"{name} must be {kind}, not {value!r:.40}")  # if no other is wrong
    return made


def publish(names):
    """Says where the classes among these names belong, and what the annotations of the functions name."""
    types, of_python = names_of_types(), type(publish)
    for value in names.values():
        if isinstance(value, of_python) and value.__module__.startswith("riffle_io."):
            for each, of in types.items():
                value.__globals__.setdefault(each, of)
        elif isinstance(value, type) and value.__module__.startswith("riffle_io."):
            value.__module__ = "riffle_io"
            for method, of_class in list(vars(value).items()):
                if type(of_class).__name__ == "nb_method" and not method.startswith("__"):
                    setattr(value, method, Function(of_class))


Function = vars(_riffle)["_Function"]
Function.__module__ = "riffle_io"
for _name, _value in list(vars(_riffle).items()):
    if type(_value).__name__ == "nb_func":
        setattr(_riffle, _name, Function(_value))
