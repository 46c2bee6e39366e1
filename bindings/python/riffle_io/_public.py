"""Makes functions of the extension what those of Python are: with a signature, a repr and a name to pickle them by."""

from riffle_io._types import names_of_types


def public(function, types):
    """Returns a function of Python that calls a function or method of the extension, with its parameters and docs.

    Its annotations are text with the names of these types.
    """
    ((header, text, *rest),) = function.__nb_signature__
    defaults = rest[0] if rest and rest[0] else ()
    for number in reversed(range(len(defaults))):
        header = header.replace(f"\\{number}", f"_defaults[{number}]")
    names = {**types, "_call": function, "_defaults": defaults, "explained": explained, "__name__": "riffle_io"}
    annotations = 0x1000000  # of __future__, which would load a module: the types stay text
    exec(compile(f"{header}:\n{_body(header, defaults)}", "<riffle_io>", "exec", annotations), names)
    made = names[function.__name__]
    made.__doc__, made.__qualname__ = text, function.__qualname__
    return made


def _body(header, defaults):
    """Returns the body of a function that calls `_call` with the parameters of its header.

    Python makes a dict to pass more than some 14 keywords. So the last ones are left out if each is None, as by default.
    """
    of_self, by_place, by_name = _names(header)
    default_of = dict(zip(reversed(by_place + by_name), reversed(defaults)))
    nones = [name for name in by_name if default_of.get(name, ()) is None]
    optional = nones[14 - len(by_name) :] if len(by_name) > 14 else []
    few = of_self + by_place + [f"{name}={name}" for name in by_name if name not in optional]
    call = f"return _call({', '.join(few)})\n"
    call = f"  if {' is '.join(optional)} is None: {call}  return _call(**locals())\n" if optional else f"  {call}"
    return f" try:\n{call} except TypeError as error: raise explained(error, _call, locals()) from None\n"


_KINDS = {"int": int, "str": str, "bytes": bytes, "bool": bool, "None": type(None), "_Method": str, "_Decode": str}


def explained(error, function, given):
    """Returns an error that names the argument of the wrong type, in place of one that has the types of all."""
    if "incompatible function arguments" not in str(error):
        return error
    made = error
    parts = function.__nb_signature__[0][0].partition("(")[2].replace("collections.abc.", "").split(": ")
    for before, after in zip(parts, parts[1:]):
        name, value = before.rpartition(" ")[2], given.get(before.rpartition(" ")[2], ...)
        words = (after.partition(" = ")[0] if " = " in after else after.rpartition(", ")[0]).split(" | ")
        if value is None and "None" not in words:
            return TypeError(f"{name} must not be None")
        if value is not ... and set(words) <= set(_KINDS):
            if not isinstance(value, tuple(_KINDS[word] for word in words)):
                return TypeError(f"{name} must be {' or '.join(words)}, not {type(value).__name__}")
            if isinstance(value, int) and value < 0:
                return ValueError(f"{name} must be 0 or more, not {value}")
        elif made is error and name not in ("source", "progress") and value is not None and value is not ...:
            made = TypeError(f"{name} must be {' | '.join(words)}, not {value!r:.40}")  # if no other is wrong
    return made


def _names(header):
    """Returns the names of the parameters of a header: self, those that have a place, and those that have none."""
    by_place, _, by_name = header.partition("(")[2].partition("*, ")
    names = [[part.rpartition(" ")[2] for part in text.split(": ")[:-1]] for text in (by_place, by_name)]
    return ["self"] if by_place.startswith("self") else [], *names


def publish(names):
    """Replaces the functions and methods of the extension among these names, and says where its classes belong."""
    types, of_python = names_of_types(), type(publish)
    for name, value in names.items():
        if type(value).__name__ == "nb_func":
            names[name] = public(value, types)
        elif isinstance(value, of_python) and value.__module__.startswith("riffle_io."):
            for each, of in types.items():
                value.__globals__.setdefault(each, of)
        elif isinstance(value, type) and value.__module__ == "riffle_io._riffle":
            value.__module__ = "riffle_io"
            for method, of_class in list(vars(value).items()):
                if type(of_class).__name__ == "nb_method" and not method.startswith("__"):
                    setattr(value, method, public(of_class, types))
