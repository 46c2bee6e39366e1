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
    names = {**types, "_call": function, "_defaults": defaults, "__name__": "riffle_io"}
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
    return f" if {' is '.join(optional)} is None: {call} return _call(**locals())\n" if optional else f" {call}"


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
