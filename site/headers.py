"""Reads the declarations and the comments `///` of riffle's headers, which clang-format has laid out.

It is no parser of C++: it finds the end of each declaration by its brackets, and takes its name and its signature.
"""
import dataclasses
import pathlib
import re

TOKEN = re.compile(r"""(?P<after>///<[^\n]*) | (?P<doc>///[^\n]*) | (?P<comment>//[^\n]*)
    | (?P<directive>^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
    | (?P<text>"(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*') | (?P<word>\w+) | (?P<mark>::|->|[^\s\w])""", re.M | re.X)
CLOSER = {"(": ")", "[": "]", "{": "}"}


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


class Reader:
    """Reads one header: `names` are its declarations, `text` is the comment of the file."""

    def __init__(self, source, header):
        self.source, self.header = source, header
        self.tokens = [(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(source)]
        self.at, self.text, self.names = 0, "", []
        self.read_scope(self.names, (), True, False, False)

    def more(self):
        return self.at < len(self.tokens)

    def word(self, ahead=0):
        return self.tokens[self.at + ahead][1]

    def skip_group(self):
        """Goes past the bracket at the place and what it holds."""
        opener, closer, depth = self.word(), CLOSER[self.word()], 0
        while True:
            depth += (self.word() == opener) - (self.word() == closer)
            self.at += 1
            if depth == 0:
                return

    def skip_angles(self):
        depth = 0
        while True:
            if self.word() in CLOSER:
                self.skip_group()
                continue
            depth += (self.word() == "<") - (self.word() == ">")
            self.at += 1
            if depth == 0:
                return

    def skip_to(self, end):
        while self.word() != end:
            self.skip_group() if self.word() in CLOSER else self.skip_one()
        self.at += 1

    def skip_one(self):
        self.at += 1

    def read_scope(self, names, scope, public, detail, inside):
        """Reads declarations up to the bracket that ends the scope. `inside`: in riffle, not around it."""
        comment = []
        while self.more() and self.word() != "}":
            kind, text, start, _ = self.tokens[self.at]
            if kind == "doc":
                comment.append(text[4:])
                self.at += 1
            elif kind == "after":
                names[-1].text = (names[-1].text + " " + text[5:]).strip()
                self.at += 1
            elif kind == "comment":
                self.at += 1
            elif kind == "directive":
                comment = self.read_directive(text, comment, names)
            elif text == "namespace":
                self.read_namespace(names, scope, detail, comment, inside)
                comment = []
            elif text in ("public", "private", "protected") and self.word(1) == ":":
                public = text == "public"
                self.at += 2
            elif text == ";":
                self.at += 1
            else:
                name = self.read_declaration(scope, public, detail, "\n".join(comment))
                comment = []
                if name and inside:
                    names.append(name)
        self.at += 1

    def read_directive(self, text, comment, names):
        self.at += 1
        defined = re.match(r"\s*#define (RIFFLE_\w+)(?:\([^)]*\))?", text)
        if text.startswith("#ifndef") and not self.text:
            self.text = "\n".join(comment)
            return []
        known = [name.name for name in names]
        if defined and not defined[1].endswith("_HPP") and defined[1] not in known:
            names.append(Name("macro", defined[1], defined[0].strip(), "\n".join(comment), self.header))
        return comment

    def read_namespace(self, names, scope, detail, comment, inside):
        start = self.at
        while self.word() != "{":
            self.at += 1
        words = [token[1] for token in self.tokens[start + 1:self.at] if token[1] not in ("::", "inline", "v0")]
        self.at += 1
        own = tuple(word for word in words if word not in ("riffle", "detail"))
        if comment:
            names.append(Name("namespace", words[-1], "namespace " + "::".join(words), "\n".join(comment), self.header,
                              scope))
        self.read_scope(names, scope + own, True, detail or "detail" in words, inside or "riffle" in words)

    def skip_prefix(self):
        """Goes past `template <...>`, a constraint, attributes and what else stands before the type."""
        while True:
            if self.word() == "template":
                self.at += 1
                self.skip_angles()
            elif self.word() == "requires":
                self.at += 1
                self.skip_constraint()
            elif self.word() == "[":
                self.skip_group()
            elif self.word() in ("RIFFLE_API", "inline", "constexpr", "static", "explicit", "virtual") or (
                    self.tokens[self.at][0] == "comment"):
                self.at += 1
            else:
                return

    def skip_constraint(self):
        if self.word() == "(":
            self.skip_group()
            return
        while True:
            self.at += 1
            if self.word() == "<":
                self.skip_angles()
            if self.word() != "::":
                return
            self.at += 1

    def read_declaration(self, scope, public, detail, text):
        start = self.at
        self.skip_prefix()
        word = self.word()

        def make(kind, name, end):
            return Name(kind, name, self.signature(start, end), text, self.header, scope, public, detail)

        if word in ("friend", "static_assert"):
            self.skip_statement()
            return None
        if word in ("class", "struct", "enum"):
            return self.read_type(word, make, public, detail)
        if word in ("using", "concept"):
            name = self.word(1)
            self.skip_to(";")
            return make(word, name, self.at - 1)
        return self.read_value(make)

    def skip_statement(self):
        while self.word() not in (";", "{"):
            self.skip_group() if self.word() in CLOSER else self.skip_one()
        self.skip_group() if self.word() == "{" else self.skip_one()

    def read_type(self, word, make, public, detail):
        self.at += 1
        while self.word() in ("class", "RIFFLE_API") or self.tokens[self.at][0] == "comment":
            self.at += 1
        name = self.word()
        head = self.at
        while self.word() not in ("{", ";"):
            self.at += 1
        result = make(word, name, self.at)
        result.bases = self.signature(head + 1, self.at)
        if self.word() == ";":
            return None  # declared only
        self.at += 1
        if word == "enum":
            self.read_enumerators(result, detail)
        else:
            self.read_scope(result.members, (*result.scope, name), word == "struct", detail, True)
        if not public:
            result.members = []
        return result

    def read_enumerators(self, enum, detail):
        comment = []
        while self.word() != "}":
            kind, text, _, _ = self.tokens[self.at]
            if kind == "doc":
                comment.append(text[4:])
            elif kind == "after":
                enum.members[-1].text += text[5:]
            elif kind == "word" and self.word(-1) != "=":
                enum.members.append(Name("enumerator", text, text, "\n".join(comment), self.header,
                                         (*enum.scope, enum.name), True, detail))
                comment = []
            self.at += 1
        self.at += 1

    def read_value(self, make):
        """A function or a variable."""
        begin, function, assigned, name = self.at, False, False, None
        while True:
            word = self.word()
            if word == "operator" and name is None:
                begin, self.at = self.at, self.at + 1
                if self.word() in CLOSER:  # operator() or operator[]
                    self.skip_group()
                while self.word() != "(":
                    self.at += 1
                name, function = self.source[self.tokens[begin][2]:self.tokens[self.at][2]].strip(), True
            elif word == "(" and not assigned:
                if name is None and self.word(1) == "*":
                    name = self.word(2)
                elif name is None:
                    name, function = ("~" if self.word(-2) == "~" else "") + self.word(-1), True
                self.skip_group()
            elif word == "<" and not assigned:
                self.skip_angles()
            elif word == "=":
                name = name or self.word(-1)
                assigned = True
                self.at += 1
            elif word == ":" and function:
                end = self.at
                self.skip_initialisers()
                return make("function", name, end)
            elif word == "{" and function and not assigned:
                end = self.at
                self.skip_group()
                return make("function", name, end)
            elif word == ";":
                name = name or self.word(-1)
                self.at += 1
                return make("function" if function else "variable", name, self.at - 1)
            elif word in CLOSER:
                name = name or self.word(-1)
                self.skip_group()
            else:
                self.at += 1

    def skip_initialisers(self):
        """Goes past those of a constructor, and its body: the group in braces that follows no name."""
        while self.word() != "{" or self.tokens[self.at - 1][0] == "word":
            self.skip_group() if self.word() in CLOSER else self.skip_one()
        self.skip_group()

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
