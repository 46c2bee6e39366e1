#!/usr/bin/env python3
"""Every public name of the headers has a comment, and stands in the reference of the library. Each page of docs has a place
in the site, and lists and tables are as GitHub shows them.

usage: reference.py SOURCES

The names are those that site/headers.py reads, and those of tests/api/symbols.txt, which a compiler made.
"""
import itertools
import pathlib
import re
import sys

sources = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(sources / "site"))
sys.dont_write_bytecode = True
import assemble  # noqa: E402
import headers  # noqa: E402
import reference  # noqa: E402

# A function that returns one of these lends what it returns, and says for how long.
LENDS = re.compile(r"^(?:template <.*?> )?(?:const )?(?:std::(?:string_view|span<.*?>)|[\w:]+(?:<.*?>)?[&*]) ")
LIFETIME = re.compile(r"[Vv]alid|[Ll]ifetime|lives|Moves the mapping|moves the mapping|static memory")


def full_names(symbols):
    """The names of functions and types that the library exports, without those of riffle::detail."""
    for line in symbols.splitlines():
        name = re.sub(r"\[abi:\w+\]|\briffle::v0::|^typeinfo for ", "", line)
        name = re.sub(r"(?<!operator)\((?!\)\().*", "", name) if "operator()" not in name else name
        name = re.sub(r"^[\w:]+ (?=[\w:]+<)|<[\w ]+>$", "", name.strip())  # a template has its result first
        if name and "detail::" not in name:
            yield name


def lacks_lifetime(readers):
    """Functions that lend, and of which neither the comment nor that of the class says how long."""
    by_name = {}
    for _, name in reference.public_names(readers):
        by_name.setdefault(name.full, []).append(name.text)
    for _, name in reference.public_names(readers):
        if name.kind != "function" or reference.conventional(name) or not LENDS.match(name.signature):
            continue
        said = " ".join(by_name[name.full] + by_name.get("::".join(name.scope), []))
        if name.name.startswith("operator") or LIFETIME.search(said):
            continue
        yield f"{name.header}: {name.full} does not say how long its result is valid"


def contradicts_a_default(readers):
    """Parameters whose default is not that of their type: rows are cut as csv, and nothing else is set."""
    for header, name in reference.public_names(readers):
        for kind, default in re.findall(r"const (dialect|\w+_options)& \w+ = ([^,)]+)", name.signature):
            if default != ("csv" if kind == "dialect" else "{}"):
                yield f"{header}: {name.full} has the default {default} for {kind}"


def leans_on_a_neighbour(readers):
    """Comments that begin with a word for what another comment says, which is elsewhere on a page or in an editor."""
    for header, name in reference.public_names(readers):
        if re.match(r"The same\b|As `", name.text or ""):
            yield f"{header}: the comment of {name.full} does not say what it is or does: {name.text.splitlines()[0]}"


def without_example(readers):
    shown = reference.examples(sources / "site/snippets.md")
    functions = {name.full: name for name in reference.free_functions(readers)}
    yield from (f"{name.header}: {full} has no example in site/snippets.md" for full, name in functions.items() if full not in shown)
    yield from (f"site/snippets.md: {full} is no free function" for full in shown if full not in functions)


def findings(readers, symbols, pages):
    yield from reference.missing(readers)
    yield from lacks_lifetime(readers)
    yield from contradicts_a_default(readers)
    yield from leans_on_a_neighbour(readers)
    yield from without_example(readers)
    everything = {name.full: name for reader in readers.values() for name in headers.every(reader.names)}
    for symbol in sorted(set(full_names(symbols))):
        if symbol not in everything:
            yield f"tests/api/symbols.txt: {symbol} is in no header"
    text = "\n".join(pages.values())
    if "#line_range-from }" not in text:
        yield "riffle/lines.hpp: line_range lacks what it inherits"
    for header, name in reference.public_names(readers):
        at = reference.anchor(name.full)
        listed = "iterator" in name.scope or reference.conventional(name) or name.kind == "namespace"
        if not listed and f"#{at} }}" not in text and f'id="{at}"' not in text:
            yield f"{header}: {name.full} is not in the reference"


def pages_without_place():
    placed = {page for pages in assemble.PAGES.values() for page in pages}
    there = {str(path.relative_to(sources)) for path in [*sources.glob("docs/*.md"), *sources.glob("*.md")]}
    yield from (f"site/assemble.py: {page} has no place" for page in sorted(there - placed - {"README.md"}))


def wrong_lists():
    given = "A list:\n- one\n  goes on\n- two\n\n```\n- no list\n  x\n```\n1. a\n   b\n"
    expected = "A list:\n\n- one\n    goes on\n- two\n\n```\n- no list\n  x\n```\n\n1. a\n    b\n"
    if (found := assemble.as_python_markdown(given)) != expected:
        yield f"site/assemble.py: a list became {found!r}"


def broken_tables():
    """Rows without the rule of a table before them, as after an empty line, and rows with more or fewer cells."""
    for path in [*sources.glob("docs/*.md"), *sources.glob("*.md")]:
        text = re.sub(r"^( *)```.*?^\1```", lambda fenced: "\n" * fenced[0].count("\n"), path.read_text(), flags=re.M | re.S)
        lines = enumerate(text.splitlines(), 1)
        for is_table, numbered in itertools.groupby(lines, lambda line: line[1].lstrip().startswith("|")):
            numbers, rows = zip(*numbered)
            widths = {len(re.split(r"(?<!\\)\|", row)) for row in rows}
            if is_table and (len(widths) != 1 or not re.fullmatch(r" *\|([ :]*-+[ :]*\|)+", "".join(rows[1:2]))):
                yield f"{path.relative_to(sources)}:{numbers[0]}: this table is not shown as one"


def other_programs():
    """Programs of pages that differ from the example of their name, which is tested."""
    for path in sources.glob("docs/*.md"):
        for name, text in re.findall(r"^```cpp\n// (\w+\.cpp) .*?\n(.*?)^```", path.read_text(), re.M | re.S):
            if (example := sources / "examples" / name).exists() and example.read_text().partition("\n")[2] != text:
                yield f"{path.relative_to(sources)}: {name} differs from examples/{name}"


def main():
    readers = headers.read(sources / "include")
    symbols = (sources / "tests/api/symbols.txt").read_text()
    found = [*findings(readers, symbols, reference.write(sources / "include")), *pages_without_place(), *wrong_lists(), *broken_tables(), *other_programs()]
    print(*found, sep="\n", end="\n" if found else "")
    print(len(list(reference.public_names(readers))), "names,", len(found), "findings")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
