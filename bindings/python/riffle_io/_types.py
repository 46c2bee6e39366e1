"""Has what the annotations name, for typing.get_type_hints. No module is loaded for it: typing takes long to import."""

import _collections_abc as abc
import os
import sys

# As the module types has them.
GenericAlias, SimpleNamespace = type(list[int]), type(sys.implementation)


class _Any:
    """Stands for a class of typing or of the stubs: as theirs, it takes types in brackets."""

    __class_getitem__ = classmethod(GenericAlias)  # type: ignore[var-annotated]


class SupportsRead(_Any):
    """Is a file object in binary mode."""


class Unpack(_Any):
    """Says that more keywords follow."""


class _Polars:
    """Is the module polars, which may not be installed."""

    def __getattr__(self, name):
        import polars

        return getattr(polars, name)


def names_of_types():
    """Returns what the annotations of the public functions name."""
    riffle_io = sys.modules["riffle_io"]
    path, buffer = int | str | bytes | os.PathLike, bytes | bytearray | memoryview
    source = path | buffer | SupportsRead[bytes] | riffle_io.Split
    return {
        "_typeshed": SimpleNamespace(FileDescriptorOrPath=path, ReadableBuffer=buffer, SupportsRead=SupportsRead),
        "_Source": source, "_Sources": source | abc.Iterable[source], "_Type": str | type, "_Byte": bytes | str,
        "_Method": str, "_Decode": str, "_Progress": abc.Callable, "_DialectName": str, "_OfRows": dict, "_OfLines": dict, "Unpack": Unpack,
        "Any": object, "Callable": abc.Callable, "Iterable": abc.Iterable, "Mapping": abc.Mapping, "Sequence": abc.Sequence, "Split": riffle_io.Split,
        "collections": SimpleNamespace(abc=abc), "os": os, "SupportsRead": SupportsRead, "polars": _Polars(), "riffle_io": riffle_io,
    }  # fmt: skip
