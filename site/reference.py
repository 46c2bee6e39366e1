"""Writes the reference of the library: a page of Markdown for each public header, from its comments."""
import dataclasses
import pathlib
import re

import headers

# What the concepts of ranges and iterators ask for. A class's own comment says what its elements are.
CONVENTIONS = {"begin", "end", "size", "empty", "data", "value_type", "iterator", "const_iterator", "operator="}
# A parameter of such a type refuses an argument: the compiler prints its name as the remedy.
REFUSALS = re.compile(r"(?:write|pass)_\w+$")
# The section of the guide that explains a page.
GUIDE = {"rows": "rows-and-fields", "dialect": "rows-and-fields", "columns": "columns", "parallel_rows": "rows-in-several-threads",
         "input": "paths-and-bytes", "memory": "paths-and-bytes", "readable": "an-input-of-your-own", "decoders": "compressed-input",
         "error": "errors", "parallel": "threads", "parallel_files": "threads", "splits": "splits-for-other-processes-and-machines",
         "file_split": "splits-for-other-processes-and-machines", "options": "options",
         **dict.fromkeys(("lines", "words", "values", "bytes", "blocks", "fields", "numbered_lines", "count", "count_text", "sum",
                          "reader", "line_index", "mapped_file", "scan", "find"), "choose-an-api")}
HOME_OF_DETAIL = "riffle/riffle.hpp"  # every header of a range includes the public names of riffle/detail
LABEL = re.compile(r"(?m)(?:^|(?<=[.!?)`] ))(Throws|Lifetime|Thread safety|Memory)(?=:| `| what| as)(:?)")


def conventional(name):
    return name.name in CONVENTIONS or name.name.startswith("~")


def groups(names):
    """The public names in their order; those of one name, which stand together, as one group."""
    result = []
    for name in names:
        if name.public:
            if result and result[-1][0].full == name.full:
                result[-1].append(name)
            else:
                result.append([name])
    return result


def public_names(readers):
    """Each public name and member of riffle, with the header on whose page it stands."""
    for header, reader in readers.items():
        page = header if not header.startswith("riffle/detail/") else HOME_OF_DETAIL
        for name in headers.every(reader.names):
            if name.public and not name.detail and name.scope[1:] != ("iterator",):
                yield page, name


def missing(readers):
    """What has no comment. Overloads that stand together share one."""
    documented = {name.full for _, name in public_names(readers) if name.text}
    return [f"{name.header}: {name.full} has no comment" for _, name in public_names(readers)
            if name.full not in documented and not conventional(name)
            and not {"iterator"}.intersection(name.scope)]


def anchor(full):
    return re.sub(r"[^\w~]+", "-", full.replace("operator", "operator ")).strip("-")


def examples(page):
    """The code below the headings of site/snippets.md, by the names in them: a line for each of them, or all for each."""
    found = re.findall(r"(?ms)^## (.*?)\n\n```cpp\n(.*?)^```", page.read_text()) if page.exists() else []
    shown = {}
    for names, code in found:
        names, lines = names.split(", "), code.splitlines()
        a_line_each = len(names) == len(lines) and all(map(str.__contains__, lines, names))
        shown.update(zip(names, lines if a_line_each else [code] * len(names)))
    return shown


def free_functions(readers):
    """The functions that an example shows, but those that are deleted."""
    for _, name in public_names(readers):
        if name.kind == "function" and name.scope in ((), ("scan",)) and not name.name.startswith("operator"):
            yield name


class Writer:
    def __init__(self, readers, snippets=None):
        self.readers = readers
        self.snippets = snippets or {}
        self.places = {}  # of each name: page and anchor
        for page, name in public_names(readers):
            self.places.setdefault(name.full, (pathlib.Path(page).stem, anchor(name.full)))
        self.bases = {name.name: name for reader in readers.values() for name in reader.names if name.detail}

    def linked(self, text, page, scope):
        """Makes each `name` of riffle a link."""
        def link(match):
            name = re.sub(r"^riffle::|\(.*\)$|<.*>$", "", match[1])
            for full in [*("::".join((*scope[:i], name)) for i in range(len(scope), 0, -1)), name]:
                if full in self.places:
                    other, at = self.places[full]
                    return f"[{match[0]}]({other + '.md' if other != page else ''}#{at})"
            return match[0]
        return re.sub(r"(?<!`)`([^`\n]+)`", link, text)

    def prose(self, text, page, scope=()):
        """A comment as Markdown: its labels in paragraphs of their own, room around lists."""
        blocks = []
        for block in text.split("\n\n"):
            if block.startswith("    "):
                blocks.append("```cpp\n" + re.sub(r"(?m)^    ", "", block) + "\n```")
                continue
            # A list ends its block, but for labels.
            said = block.replace("\n- ", "\n\n- ", 1) if "\n- " in block else " ".join(block.split("\n"))
            said = re.sub(r" +\n", "\n", LABEL.sub(r"\n\n**\1**\2", said)).strip()
            blocks.append(self.linked(said, page, scope))
        return "\n\n".join(blocks)

    @staticmethod
    def signature(text):
        """One line, or a line for each parameter."""
        depths, head = [], ""
        for at, letter in enumerate(text):
            depth = depths[-1] if depths else 0
            depths.append(depth + (letter in "(<{[") - (letter in ")>}]" and text[at - 1] != "-"))
        if text.startswith("template"):
            end = depths.index(0, len("template <")) + 1
            head, text, depths = text[:end] + "\n", text[end + 1:], depths[end + 1:]
        if len(text) > 88 and "(" in text and not text.startswith("using "):
            last = text.rindex(")")
            first = max(at for at in range(last) if text[at] == "(" and depths[at] == 1)
            cuts = [first, *(at for at in range(first, last) if text[at] == "," and depths[at] == 1), last]
            parameters = [text[start + 1:end].strip() for start, end in zip(cuts, cuts[1:])]
            text = text[:first + 1] + "\n    " + ",\n    ".join(parameters) + text[last:]
        return head + text

    def group(self, names, page, level):
        """The section of a name, with its overloads and its members."""
        first = names[0]
        lines = [f"{'#' * level} {first.full.replace('~', chr(92) + '~')} {{ #{anchor(first.full)} }}", ""]
        block = []
        for name in names:
            block.append(self.signature(name.signature))
            if name.text or name is names[-1]:
                lines += ["```cpp", *block, "```", "", self.prose(name.text, page, (*name.scope, name.name)), ""]
                block = []
        if first.kind == "function" and first.full in self.snippets:
            lines[2:2] = ["```cpp", self.snippets[first.full].rstrip(), "```", ""]
        for name in names:
            lines += self.members(name, page, level)
        return lines

    def members(self, name, page, level):
        if name.scope and name.name in CONVENTIONS:
            return []
        if name.kind == "enum":
            return ["| name | meaning |", "|---|---|", *(self.enumerator(member, page) for member in name.members), ""]
        lines, plain = [], []
        for group in groups(name.members):
            if conventional(group[0]) and not any(member.text for member in group):
                plain += [member.name for member in group]
            else:
                lines += self.group(group, page, level + 1)
        for group in groups(self.inherited(name)):
            if group[0].text and group[0].kind == "function" and group[0].name != group[0].scope[-1]:
                own = [dataclasses.replace(member, scope=(*name.scope, name.name)) for member in group]
                lines += self.group(own, page, level + 1)
        if plain:
            listed = ", ".join(f"`{word}`" for word in dict.fromkeys(plain))
            lines += [f"It also has what the concepts of the standard ask for: {listed}.", ""]
        return lines

    def enumerator(self, member, page):
        text = self.prose(member.text, page, member.scope).replace("|", "\\|")
        return f'| <span id="{anchor(member.full)}"></span>`{member.name}` | {text} |'

    def inherited(self, name):
        """The members of the classes of riffle/detail that a class or an alias has."""
        from_detail = re.search(r"(?:public|=) (?:detail::)?(\w+)", name.bases or name.signature)
        base = self.bases.get(from_detail[1]) if from_detail else None
        return [*base.members, *self.inherited(base)] if base else []

    def names_of(self, header):
        """What stands on the page of a header: its free functions first, then the types that they take and return."""
        here = [header, *(at for at in self.readers if header == HOME_OF_DETAIL and at.startswith("riffle/detail/"))]
        names = [name for at in here for name in self.readers[at].names if not name.detail]
        return sorted(names, key=lambda name: name.kind not in ("namespace", "function"))

    def page(self, header):
        reader, page = self.readers[header], pathlib.Path(header).stem
        lines = [f"# {header.removeprefix('riffle/')}", "", "```cpp", f"#include <{header}>", "```", "",
                 self.prose(reader.text, page), ""]
        if page in GUIDE:
            heading = GUIDE[page].replace("-", " ").capitalize().replace("api", "API")
            lines += [f"The guide explains it: [{heading}](../docs/guide.md#{GUIDE[page]}).", ""]
        for group in groups(self.names_of(header)):
            lines += self.group(group, page, 2)
        return "\n".join(lines)

    def index(self):
        lines = ["# Reference of the library", "",
                 "A page for each header, made of the comments in it. `<riffle/riffle.hpp>` includes all; "
                 "[its page](riffle.md) has the rules that hold everywhere.", "",
                 "| header | what it offers | names |", "|---|---|---|"]
        for header, reader in self.pages():
            page = pathlib.Path(header).stem
            names = dict.fromkeys(name.full for name in self.names_of(header) if name.kind != "namespace"
                                  and not REFUSALS.match(name.name))
            offers = re.match(r".*?[.:](?= |$)", " ".join(reader.text.split("\n\n")[0].split("\n")))[0]
            offers = offers.removeprefix("Offers ").rstrip(".:")
            lines.append(f"| [`{page}.hpp`]({page}.md) | {offers} | " +
                         ", ".join(f"[`{name}`]({page}.md#{anchor(name)})" for name in names) + " |")
        return "\n".join(lines) + "\n"

    def pages(self):
        return [(header, reader) for header, reader in self.readers.items() if not header.startswith("riffle/detail/")]


def write(include):
    """Returns the pages, by their file names."""
    writer = Writer(headers.read(include), examples(include.parent / "site/snippets.md"))
    pages = {pathlib.Path(header).stem + ".md": writer.page(header) for header, _ in writer.pages()}
    return {"index.md": writer.index(), **pages}
