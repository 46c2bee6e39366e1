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
    call = "_call(given.pop('self'), **given)" if header.partition("(")[2].startswith("self") else "_call(**given)"
    annotations = 0x1000000  # of __future__, which would load a module: the types stay text
    exec(compile(f"{header}:\n given = locals()\n return {call}", "<riffle_io>", "exec", annotations), names)
    made = names[function.__name__]
    made.__doc__, made.__qualname__ = text, function.__qualname__
    return made


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
