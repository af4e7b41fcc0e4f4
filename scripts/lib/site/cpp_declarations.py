"""Reads the public headers: declarations with their comments, macros expanded, bodies left out.

In: a header. Out: a list of Declaration, in the order of the header. Only namespace tutti and the
public parts of classes are read; namespaces inside of it hold internals. A comment stands before
its declaration, or behind it on the same line.
"""

import dataclasses
import pathlib
import re

from cpp_text import (head_end, macro_arguments, matching, name_of, one_line, skip_initialisers,
                      split_prefix, tidy)

DETAIL = pathlib.Path("tutti/detail")

# Types of internals. A member that names one is for the functions of the library.
INTERNAL = re.compile(
    r"\bdetail::(NodeRef|BufferRef|ArrayCell|ArrayModes|ProgramHandle|ExpressionGraph|Counts|"
    r"FromNodes|ValueState|ValueLink|Extents|RecordedVariable)\b|\bnested::|\bList& list\b|"
    r"\bNodes\b|\bNumbers\b|\bpicked\(|detail::(Equality|Differing)<|"
    r"ScalarValue value\(int component\)|^using (Base|Location) =")


@dataclasses.dataclass
class Declaration:
    """What the reference shows as one entry, or as a part of one."""

    kind: str  # function, type, alias, variable, macro, section
    name: str
    signature: str
    comment: str = ""
    members: list = dataclasses.field(default_factory=list)
    others: list = dataclasses.field(default_factory=list)  # names with the same signature
    rows: list = dataclasses.field(default_factory=list)  # names with their documentation
    macro: str = ""  # the macro that made it
    first: bool = True  # of those that one comment describes


class Reader:
    """Reads one scope after the other; macros of the header are known to all of them."""

    def __init__(self, include):
        self.include = include
        self.macros = {}

    def read(self, text, public=True, macro=""):
        """The declarations of a scope; `macro` is the one whose expansion the text is."""
        result, comment, i, first = [], [], 0, True
        while i < len(text):
            line_end = text.find("\n", i)
            line_end = len(text) if line_end < 0 else line_end
            line = text[i:line_end].strip()
            if not line or line == "\\":
                comment, first = [], True
                i = line_end + 1
            elif line.startswith("//"):
                first = True
                words = line[2:]
                if words.startswith(" ----"):
                    if public:
                        result.append(Declaration("section", words[5:].strip(), ""))
                else:
                    comment.append(words[1:] if words.startswith(" ") else words)
                i = line_end + 1
            elif line.startswith("#"):
                i, found = self.directive(text, i, "\n".join(comment))
                if public:
                    result += found
                comment = []
            elif match := re.compile(r"\s*(public|private|protected):").match(text, i):
                public, i = match[1] == "public", match.end()
                comment = []
            else:
                while text[i].isspace():
                    i += 1
                i, found = self.declaration(text, i, "\n".join(comment), macro)
                if public and found:
                    found[0].first = first or bool(found[0].comment)
                    result += found
                    first = False
                comment = []
        return result

    def directive(self, text, i, comment):
        """A line of the preprocessor: macros are remembered, tables of operations are read."""
        end = i
        while True:
            end = text.find("\n", end)
            end = len(text) if end < 0 else end
            if text[end - 1] != "\\":
                break
            end += 1
        words = text[i:end]
        found = []
        if match := re.match(r"\s*#define (\w+)(?:\(([^)]*)\))?(.*)", words, re.S):
            body = re.sub(r"\s*\\\n", "\n", match[3])
            self.macros[match[1]] = (match[2], body, comment)
        elif match := re.match(r'\s*#include "tutti/detail/(\w+)\.def"', words):
            found = self.table(match[1])
        return end + 1, found

    def expand(self, name, arguments):
        """The body of a macro with these arguments."""
        parameters, body, _ = self.macros[name]
        if "TUTTI_COMMA" in self.macros:
            arguments = [a.replace(" TUTTI_COMMA", ",") for a in arguments]
        for parameter, argument in zip(re.split(r",\s*", parameters), arguments):
            body = re.sub(rf"\s*##\s*{parameter}\b|\b{parameter}\s*##\s*",
                          lambda m: argument, body)
            body = re.sub(rf"\b{parameter}\b", lambda m: argument, body)
        return re.sub(r"operator *(\S+) \(", r"operator\1(", body)  # clang-format puts spaces there

    def rows(self, table, macro):
        """The arguments of all calls of a macro in a table of the library."""
        text = (self.include / DETAIL / f"{table}.def").read_text()
        return [[a.strip() for a in m[1].split(",", 4)]
                for m in re.finditer(rf"^{macro}\((.*?)\)$", text, re.M | re.S)]

    def table(self, name):
        """Declarations that a table of the library makes with the macros defined before it."""
        if name == "functions":
            return self.functions()
        if name == "reductions":
            return self.reductions()
        macro = {"operators": "TUTTI_BINARY_OPERATOR",
                 "assign_operators": "TUTTI_ASSIGN_OPERATOR"}.get(name)
        if not macro or macro not in self.macros:
            return []
        rows = self.rows(name, macro)
        found = self.read(self.expand(macro, rows[0]))
        for declaration in found:
            suffix = "=" if name == "assign_operators" else ""
            declaration.comment = declaration.comment or self.macros[macro][2]
            declaration.others = [f"operator{row[0]}{suffix}" for row in rows[1:]]
        return found

    def reductions(self):
        """The functions of the first reduction, with those of the others named beside them."""
        macro = "TUTTI_REDUCTION"
        if macro not in self.macros:
            return []
        first, *others = [self.read(self.expand(macro, row[:2]))
                          for row in self.rows("reductions", macro)]
        for i, declaration in enumerate(first):
            declaration.comment = declaration.comment or self.macros[macro][2]
            declaration.others = [other[i].name for other in others]
        return first

    def functions(self):
        """One declaration for all functions of one, two and three operands each."""
        found = []
        for arity in (1, 2, 3):
            macro = f"TUTTI_FUNCTION{arity}"
            rows = [(row[0], row[4].strip('"')) for row in self.rows("ops", "TUTTI_OP")
                    if row[1] == str(arity) and row[2] != "choose"
                    and f"TUTTI_FUNCTION_{row[2]}" not in self.macros]
            if macro not in self.macros or not rows:
                continue
            first = next(row[0] for row in rows if row[0] in ("sqrt", "pow", "fma"))
            for declaration in self.read(self.expand(macro, [first])):
                declaration.comment = self.macros["TUTTI_FUNCTION1"][2]
                declaration.rows = rows
                found.append(declaration)
        return found

    def declaration(self, text, i, comment, macro):
        """What begins at `i`, and where the next thing begins."""
        if (match := re.compile(r"(\w+)\(").match(text, i)) and match[1] in self.macros:
            return self.expansion(text, match)
        if match := re.compile(r"namespace ([\w:]+)\s*\{").match(text, i):
            end = matching(text, match.end() - 1)
            inside = text[match.end():end - 1]
            found = self.read(inside) if match[1] == "tutti" else []
            return self.behind(text, end)[0], found
        stop = head_end(text[i:]) + i
        rest = split_prefix(one_line(text[i:stop]))[1]
        is_type = re.match(r"(class|struct|enum|union)\b", rest)
        is_value = re.match(r"(concept|using) \w+ =", rest) or \
            "=" in rest and not is_type and not name_of(rest)
        while is_value and text[stop] != ";":
            stop = matching(text, stop) if text[stop] in "({[" else stop + 1
        head, body = text[i:stop], ""
        if text[stop] == ":":
            stop = skip_initialisers(text, stop)
        end = stop + 1
        if text[stop] == "{":
            end = matching(text, stop)
            body = text[stop + 1:end - 1]
            if is_type or not name_of(rest):
                end = text.index(";", end) + 1
        end, behind = self.behind(text, end)
        return end, self.declared(head, body, comment or behind, macro)

    def expansion(self, text, call):
        """What a call of a macro of the header declares."""
        end = matching(text, call.end() - 1)
        arguments = macro_arguments(text[call.end():end - 1])
        end, behind = self.behind(text, end)
        found = self.read(self.expand(call[1], arguments), macro=call[1])
        for declaration in found:
            declaration.comment = declaration.comment or behind or self.macros[call[1]][2]
        return end, found

    @staticmethod
    def behind(text, end):
        """Where the next line begins, and the comment behind a declaration on its line."""
        line_end = text.find("\n", end)
        line_end = len(text) if line_end < 0 else line_end
        rest = text[end:line_end].strip()
        if rest.startswith("//"):
            return line_end + 1, rest[2:].strip()
        return (line_end + 1, "") if not rest else (end, "")

    def declared(self, head, body, comment, macro):
        """The declaration with this head, if users are to see it."""
        signature = tidy(head)
        rest = split_prefix(one_line(head))[1]
        if INTERNAL.search(signature) or rest.startswith(("friend class", "static_assert")):
            return []
        if "for the functions of this library" in comment.lower():
            return []
        if match := re.match(r"(class|struct|enum class|enum|union) (\w+)(.*)", rest, re.S):
            if match[3].strip().startswith("<") or (not body and "{" not in head
                                                    and match[1] != "enum"):
                return []  # specialisations and forward declarations
            return [self.type(match, signature, body, comment)]
        if match := re.search(r"\bconcept (\w+) =|^using (\w+) =", rest):
            name = match[1] or match[2]
            return [Declaration("alias", name, signature + ";", comment, macro=macro)]
        name = name_of(rest)
        if name and "->" in rest.split(")")[-1]:
            return []  # how arguments are deduced
        if name and ("::" not in name or name.startswith("operator")):
            if re.search(r"=\s*(default|delete)$", rest) or name.startswith("~") or \
                    re.fullmatch(r"(\w+)\((const \1&|\1&&)( other)?\)( noexcept)?", rest):
                return []
            return [Declaration("function", name, signature + ";", comment, macro=macro)]
        if match := re.search(r"\b(?:constexpr|const)\b.*?\b(\w+)( =|\{|$)", rest):
            return [Declaration("variable", match[1], signature + ";", comment)]
        return []

    def type(self, match, signature, body, comment):
        """A class with its members; one of data alone is shown as it is."""
        name = match[2]
        plain = re.sub(r"//.*", "", body)
        if match[1].startswith("enum") or "(" not in plain:
            text = signature + " {\n" + body.strip("\n").rstrip() + "\n};"
            if match[1].startswith("enum") and "//" not in body:
                text = signature + " {" + " ".join(body.split()).join("  ") + "};"
            return Declaration("type", name, text, comment)
        members = self.read(body, public=match[1] != "class")
        return Declaration("type", name, signature + ";", comment, members)


def file_comment(text):
    """The comment that a header opens with, and the one that it ends with."""
    first = re.match(r"(?://.*\n)+", text)
    last = re.search(r"^}  // namespace tutti\n\n((?://.*\n)+)\Z", text, re.M)
    return ["\n".join(line[3:] for line in found[found.lastindex or 0].splitlines())
            for found in (first, last) if found]


def role(declaration):
    """What is alike in declarations that one macro makes with different names."""
    name = declaration.name
    if declaration.kind == "alias":
        return re.sub(r"[a-z]+$", "", name)  # Value3f
    words = ("scan" if name.endswith("_scan") else "segmented" if name.startswith("segmented_")
             else "")
    return words, declaration.signature.partition(name + "(")[2]


def merged(declarations):
    """What one macro makes with different names becomes one declaration."""
    result, seen = [], {}
    for declaration in declarations:
        declaration.members = merged(declaration.members)
        first = seen.setdefault((declaration.macro, role(declaration)), declaration)
        if not declaration.macro or first is declaration or first.name == declaration.name:
            result.append(declaration)
        elif declaration.name not in first.others:
            first.others.append(declaration.name)
    return result


def public_macros(reader, text):
    """Macros that stay defined behind the header: the keywords of programs."""
    found = []
    for name, (parameters_, _, comment) in reader.macros.items():
        if re.search(rf"#define {name}\b", text) and not re.search(rf"#undef {name}\b", text) and \
                not re.match(r"TUTTI_(HERE|CONDITION|FUNCTION|ASSIGN|BINARY)", name):
            shown = name + (f"({parameters_})" if parameters_ else "")
            found.append(Declaration("macro", name, shown, comment))
    return found


def read_header(path, include):
    """The comments of a header, its declarations, and the macros that it leaves defined."""
    text = re.sub(r"^TUTTI_(BEGIN|END)_EXPORTS\n+", "", path.read_text(), flags=re.M)
    reader = Reader(include)
    body = text[re.match(r"(?://.*\n)*", text).end():]
    body = re.sub(r"^}  // namespace tutti\n\n((?://.*\n)+)\Z", "}\n", body, flags=re.M)
    try:
        declarations = merged(reader.read(body))
    except (ValueError, IndexError) as error:
        raise ValueError(f"{path.name} cannot be read for the reference: {error}") from error
    return file_comment(text), declarations, public_macros(reader, text)


def enumeration(path, name):
    """A public enumeration of an internal header, with its comment."""
    match = re.search(rf"((?://.*\n)+)(enum class {name}\b[^;]*;)", path.read_text())
    comment = "\n".join(line[3:] for line in match[1].splitlines())
    return Declaration("type", name, " ".join(match[2].split()), comment)
