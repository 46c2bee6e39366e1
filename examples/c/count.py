"""count.py FILE TEXT: prints how many lines of a file contain the text. It needs the shared library."""

import ctypes
import sys


class View(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Error(ctypes.Structure):
    _fields_ = [
        ("numbers", ctypes.c_int32 * 4),
        ("offsets", ctypes.c_uint64 * 2),
        ("reserved", ctypes.c_uint64 * 4),
        ("message", ctypes.c_char * 1024),
    ]


riffle = ctypes.CDLL("libriffle.so.0.1")
riffle.riffle_input_path.restype = ctypes.c_void_p
error, lines, views, count = Error(), ctypes.c_void_p(), (View * 512)(), ctypes.c_size_t(1)
source = ctypes.c_void_p(riffle.riffle_input_path(sys.argv[1].encode()))
code = riffle.riffle_lines_open(source, None, None, ctypes.byref(lines), ctypes.byref(error))
riffle.riffle_input_close(ctypes.byref(source))
found = 0
while code == 0 and count.value != 0:
    code = riffle.riffle_records_next(lines, views, ctypes.c_size_t(512), ctypes.byref(count), ctypes.byref(error))
    found += sum(sys.argv[2].encode() in ctypes.string_at(view.data, view.size) for view in views[: count.value])
riffle.riffle_records_close(ctypes.byref(lines))
if code != 0:
    sys.exit(f"count: {error.message.decode()}")
print(found)
