"""Decides whether text in an encoding can be cut at a delimiter before it is decoded."""

import codecs

_SHIFTING = ("iso2022", "hz", "utf-7")  # an escape sequence gives ASCII bytes another meaning


def codec_name(encoding: str, delimiter: bytes) -> str:
    """Returns the name of the codec. Raises LookupError if there is none, ValueError if it does not fit."""
    name = codecs.lookup(encoding).name
    if delimiter > b"\x7f":
        raise ValueError(f"delimiter {delimiter!r} must be ASCII if encoding is set")
    if name not in ("utf-8", "utf-8-sig") and not _is_own_byte(name, delimiter):
        raise ValueError(f"text in {name} cannot be cut at the byte {delimiter!r} before it is decoded")
    return name


def _is_own_byte(name: str, delimiter: bytes) -> bool:
    # In iso2022_kr, what stands at the start of the text gives all bytes behind it their meaning.
    if name in ("iso2022_kr", "raw-unicode-escape", "unicode-escape"):
        return False
    if delimiter.decode(name, "replace") != delimiter.decode("latin-1"):
        return False  # such as UTF-16 and EBCDIC
    if delimiter < b" ":
        return True
    # If each of the 256 bytes is one character, none is a part of another.
    return not name.startswith(_SHIFTING) and len(bytes(range(256)).decode(name, "replace")) == 256
