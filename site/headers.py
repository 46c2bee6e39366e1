"""Reads the declarations and the comments `///` of riffle's headers, which clang-format has laid out.

It is no parser of C++: it finds the end of each declaration by its brackets, and takes its name and its signature.
"""
import dataclasses
import pathlib
import re

TOKEN = re.compile(r"""(?P<after>///<[^\n]*) | (?P<doc>///[^\n]*) | (?P<comment>//[^\n]*)
    | (?P<directive>^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
    | (?P<text>"(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*') | (?P<word>\w+) | (?P<mark>::|->|[^\s\w])""", re.M | re.X)
TYPES = ("class", "struct", "enum")
KIND = re.compile(r"(?:template +)?(?:requires(?:@| [\w:]+) +)?"
                  r"(class|struct|enum|namespace|using|concept|friend|static_assert)\b(?: class)? ?(\w*)")
OPERATOR = re.compile(r"operator ?(?:\(\)|\[\]|[^(]+)")
VALUE = re.compile(r"(?P<function>~?\b(?!requires|noexcept)\w+)@|(?P<variable>\w+) ?(?:[=\[{]|$)")


@dataclasses.dataclass
class Name:
    """One declaration. Its scope is what it lies in: ("scan",), ("mapped_file",), () for riffle itself."""
    kind: str
    name: str
    signature: str
    text: str
    header: str
    scope: tuple = ()
    public: bool = True
    detail: bool = False
    bases: str = ""
    members: list = dataclasses.field(default_factory=list)

    @property
    def full(self):
        return "::".join((*self.scope, self.name))


def kind_and_name(head):
    """Of a declaration up to its body. What is in parentheses becomes an @, what is in angle brackets goes."""
    if not re.match(r"using|(template <.*> )?friend", head) and (operator := OPERATOR.search(head)):
        return "function", operator[0]
    flat, before = re.sub(r"\(\*(\w+)\)\(.*", r"\1", head), ""  # a pointer to a function
    while flat != before:
        flat, before = re.sub(r"<[^<>()]*>|\([^()]*\)", lambda group: "@" * (group[0][0] == "("), flat), flat
    found = KIND.match(flat) or VALUE.search(flat)
    return found.groups() if found.re is KIND else (found.lastgroup, found[found.lastgroup])


class Reader:
    """Reads one header: `names` are its declarations, `text` is the comment of the file."""

    def __init__(self, source, header):
        self.source, self.header = source, header
        self.tokens = [(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(source)]
        self.at, self.text, self.names = 0, "", []
        self.read_scope(self.names, "namespace", (), True, False, False)

    def word(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else "}"

    def read_scope(self, names, of, scope, public, detail, inside):
        """Reads declarations up to the bracket that ends the scope `of` a kind. `inside`: in riffle, not around it."""
        comment = []
        while self.word() != "}":
            kind, text, _, _ = self.tokens[self.at]
            if (kind == "word" and self.word(1) != ":") or text in ("[", "~"):
                self.read_declaration(names, of, scope, public, detail, inside, "\n".join(comment))
                comment = []
                continue
            if kind == "doc":
                comment.append(text[4:])
            elif kind == "after":
                names[-1].text = (names[-1].text + " " + text[5:]).strip()
            elif kind == "directive":
                comment = self.read_directive(text, comment, names)
            elif kind == "word":
                public = text == "public"
            self.at += 1
        self.at += 1

    def read_directive(self, text, comment, names):
        defined = re.match(r"\s*#define (RIFFLE_\w+)(?:\([^)]*\))?", text)
        if text.startswith("#pragma once"):
            self.text = "\n".join(comment)
            return []
        if defined and defined[1] not in [name.name for name in names]:
            names.append(Name("macro", defined[1], defined[0].strip(), "\n".join(comment), self.header))
        return comment

    def read_declaration(self, names, of, scope, public, detail, inside, text):
        start = self.at
        colon, body, end = self.skip_declaration(of)
        head = self.signature(start, body or end)
        kind, name = ("enumerator", self.tokens[start][1]) if of == "enum" else kind_and_name(head)
        if kind == "namespace":
            words = [word for word in re.findall(r"\w+", head)[1:] if word != "v0"]
            if text:
                names.append(Name(kind, words[-1], "namespace " + "::".join(words), text, self.header, scope))
            own = tuple(word for word in words if word not in ("riffle", "detail"))
            self.at = body + 1
            self.read_scope(names, kind, scope + own, True, detail or "detail" in words, inside or "riffle" in words)
        elif kind not in ("friend", "static_assert") and (body or kind not in TYPES):
            if kind not in TYPES:
                head = self.signature(start, colon or body or end if kind == "function" else end)
            made = Name(kind, name, name if of == "enum" else head, text, self.header, scope, public, detail)
            if kind in TYPES:
                made.bases = head.partition(" : ")[2]
                self.at = body + 1
                self.read_scope(made.members, kind, (*scope, name), kind != "class", detail, True)
                made.members = made.members if public else []
            if inside:
                names.append(made)

    def skip_declaration(self, of):
        """Goes past one. Returns the places of its colon and its body, 0 if it has none, and of its end."""
        depth, colon, body = 0, 0, 0
        while True:
            at, word, self.at = self.at, self.word(), self.at + 1
            if depth == 0 and word == ":":
                colon = colon or at
            if depth == 0 and word == "{" and self.tokens[at - 1][1] != "requires":
                body = body or at
            depth += (word in "([{") - (word in ")]}")
            if of == "enum" and (word == "," or self.word() == "}" or self.tokens[self.at][0] == "after"):
                return 0, 0, self.at
            if depth == 0 and (word == ";" or word == "}" and body and self.word() not in (";", ",", "{", "(", "<")):
                return colon, body, at

    def signature(self, start, end):
        """What the tokens say on one line, without comments, attributes and what only the compiler needs."""
        said, last = "", self.tokens[start][2]
        for kind, _, begin, stop in self.tokens[start:end]:
            if kind not in ("comment", "doc", "after"):
                said += self.source[last:begin] if self.source[last:begin].isspace() else " " * (last != begin)
                said += self.source[begin:stop]
            last = stop
        said = re.sub(r"\[\[[^\]]*\]\]|\bRIFFLE_(API|LIFETIMEBOUND)\b|\binline ", " ", said)
        return re.sub(r"\s+", " ", said).strip().replace(" )", ")").replace(" ,", ",")


def read(include):
    """Returns a Reader for each public header below `include`, by its path in #include."""
    root = pathlib.Path(include)
    return {str(path.relative_to(root)): Reader(path.read_text(), str(path.relative_to(root)))
            for path in sorted(root.glob("riffle/**/*.hpp"))}


def every(names):
    """Each name and each member of it."""
    for name in names:
        yield name
        yield from every(name.members)
