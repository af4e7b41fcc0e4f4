"""Reads C++ as text: brackets, heads of declarations, names, and signatures as they are printed.

It relies on the layout that clang-format gives the headers of this project.
"""

import re

TYPE = re.compile(r"\s*(template\s*<[^;{]*?>\s*)?(requires\s*\([^)]*\)\s*)?"
                  r"(class|struct|enum|union)\b")
OPERATOR = re.compile(r"operator(\(\)|\[\]|[^\s\w(]+| [\w:<>, ]+)(?=\()")
# Parameters that carry an operand and the line of the call, by what callers pass.
CARRIERS = {"detail::Located<D, T> b": "const Array& b", "detail::LocatedSeq<T> b": "const Seq& b",
            "const detail::LocatedVec<T>& x": "const Vec& x",
            "detail::LocatedBody body": "std::function<void()> body"}
LOCATION = re.compile(
    r"(,\s*)?const (std::source_location|Location)& where(\s*=\s*[\w:]+::current\(\))?")


def matching(text, start):
    """The index behind the bracket that closes the one at `start`."""
    pairs = {"(": ")", "{": "}", "[": "]"}
    depth, i = [], start
    while i < len(text):
        c = text[i]
        if text.startswith("//", i):
            i = text.find("\n", i) if "\n" in text[i:] else len(text)
            continue
        if c in "\"'" and not (c == "'" and text[i - 1].isdigit()):
            i += 1
            while text[i] != c:
                i += 2 if text[i] == "\\" else 1
        elif c in pairs:
            depth.append(pairs[c])
        elif depth and c == depth[-1]:
            depth.pop()
            if not depth:
                return i + 1
        i += 1
    raise ValueError(f"no bracket closes the one in: {text[start:start + 80]}")


def macro_arguments(text):
    """The arguments of a macro's call; commas in string literals and brackets separate nothing."""
    parts = re.findall(r'((?:"(?:\\.|[^"\\])*"|\([^()]*\)|[^,"(])*)(?:,|$)', text)
    return [part.strip() for part in (parts[:-1] if len(parts) > 1 else parts)]


def closing_angle(text, start):
    """The index behind the > that closes the < at `start`; those in parentheses compare."""
    depth, i = 0, start
    while i < len(text):
        if text[i] in "([{":
            i = matching(text, i)
            continue
        depth += {"<": 1, ">": -1}.get(text[i], 0)
        i += 1
        if depth == 0:
            return i
    raise ValueError(f"no > closes the < in: {text[start:start + 80]}")


def head_end(text):
    """Where the head of a declaration ends: at its body, or at the semicolon."""
    is_type = TYPE.match(text)
    i = 0
    while i < len(text):
        c = text[i]
        if c in "([" or c == "{" and text[:i].endswith("requires requires "):
            i = matching(text, i)
            continue
        if c in ";{":
            return i
        if c == ":" and ":" not in (text[i + 1], text[i - 1]) and ")" in text[:i] and not is_type:
            return i  # members are initialised
        i += 1
    raise ValueError(f"a declaration without an end: {text[:80]}")


def skip_initialisers(text, i):
    """From the colon of a constructor to the body behind its initialisers."""
    while True:
        while text[i] not in "({":
            i += 1
        i = matching(text, i)
        while text[i].isspace() or text.startswith("...", i):
            i += 3 if text[i] == "." else 1
        if text[i] != ",":
            return i


def split_prefix(head):
    """template <...> and requires clauses, each a line, and what follows."""
    lines, rest = [], head.strip()
    while True:
        if rest.startswith("template"):
            end = closing_angle(rest, rest.index("<"))
        elif rest.startswith("requires("):
            end = matching(rest, len("requires"))
        elif rest.startswith("requires requires"):
            end = matching(rest, rest.index("{"))
        elif match := re.match(r"requires (!?[\w:]+) ?(<)?", rest):
            end = closing_angle(rest, match.end() - 1) if match[2] else match.end()
        else:
            return lines, rest
        lines.append(rest[:end].strip())
        rest = rest[end:].strip()


def name_of(rest):
    """The name of a function, or "" if there is no parameter list."""
    i = 0
    while i < len(rest):
        if rest[i] == "<" and not rest[:i].rstrip().endswith("operator"):
            try:
                i = closing_angle(rest, i)
                continue
            except ValueError:
                pass
        if match := OPERATOR.match(rest, i):
            return match[0]
        if match := re.compile(r"(?:::)?~?[A-Za-z_][\w]*(::\w+)*").match(rest, i):
            end = match.end()
            if rest[end:end + 1] == "(":
                if match[0] not in ("requires", "decltype", "explicit", "noexcept"):
                    return match[0]
                end = matching(rest, end)
            i = end
            continue
        i += 1
    return ""


def wrapped(text, width=88):
    """A signature with its parameters on several lines where it is long."""
    if len(text) <= width or "(" not in text:
        return text
    start = text.index("(", text.index("operator()") + 10 if "operator()(" in text else 0)
    depth, part, parts = 0, "", []
    inside = text[start + 1:matching(text, start) - 1]
    for c in inside:
        depth += {"(": 1, "<": 1, "{": 1, ")": -1, ">": -1, "}": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    parts.append(part.strip())
    return (text[:start + 1] + "\n    " + ",\n    ".join(parts) + text[matching(text, start) - 1:])


def one_line(head):
    """A head on one line, with the names of operators as one word."""
    return re.sub(r"\b(operator) ([^\s\w(]+)(?=\()", r"\1\2", " ".join(head.split()))


def tidy(head):
    """A signature as it is printed: without the location of the call, which has a default."""
    lines, rest = split_prefix(one_line(head))
    rest = LOCATION.sub("", rest).replace("inline ", "").replace("friend ", "").replace("( ", "(")
    rest = rest.replace(")&", ") &").strip()
    for carrier, passed in CARRIERS.items():
        rest = rest.replace(carrier, passed)
    rest = re.sub(r"detail::Argument a = \{\},.*detail::Argument l = \{\}", "arguments...", rest)
    return "\n".join(lines + [wrapped(rest)])
