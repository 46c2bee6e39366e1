"""Decides whether text in an encoding can be cut at a delimiter before it is decoded."""

import codecs

# What a line means depends on the lines before it, or on the whole text: escape sequences shift it, or a backslash, "-"
# or "." at its end does. In hz, "~" joins two lines.
_OF_WHOLE_TEXT = ("iso2022", "hz", "punycode", "idna", "raw-unicode-escape", "unicode-escape")


def codec_name(encoding: str, delimiter: bytes) -> str:
    """Returns the name of the codec. Raises LookupError if there is none, ValueError if it does not fit."""
    codec = codecs.lookup(encoding)
    name = codec.name
    if not codec._is_text_encoding:  # as open() asks it
        raise LookupError(f"'{encoding}' is not a text encoding: decode the bytes by codecs.open()")
    if delimiter > b"\x7f":
        raise ValueError(f"delimiter {delimiter!r} must be ASCII if encoding is set")
    if name not in ("utf-8", "utf-8-sig") and not _is_own_byte(name, delimiter):
        remedy = f"read it by open(path, encoding='{name}')"
        if name.startswith(("utf-16", "utf-32")):
            remedy += f", or convert it by iconv -f {name.upper()} -t UTF-8"
        raise ValueError(f"text in {name} cannot be cut at the byte {delimiter!r} before it is decoded; {remedy}")
    return name


def _is_own_byte(name: str, delimiter: bytes) -> bool:
    if name.startswith(_OF_WHOLE_TEXT):
        return False
    if delimiter.decode(name, "replace") != delimiter.decode("latin-1"):
        return False  # such as UTF-16 and EBCDIC
    if delimiter < b" ":
        return True
    # If each of the 256 bytes is one character, none is a part of another.
    return name != "utf-7" and len(bytes(range(256)).decode(name, "replace")) == 256
