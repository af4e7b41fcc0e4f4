"""Makes a test of the C++ of a page: blocks of code, and code in table columns with the title C++.

usage: extract_snippets.py ROOT PAGE OUTPUT

The blocks of a section become one test, in their order. Functions and structs that begin in the first
column are moved in front of it. Comments of the page add what readers need not see:

    <!-- cpp             code at its place: variables before a block, checks after it
    ...
    -->
    <!-- cpp: cells      variables for the tables that follow
    ...
    -->
    <!-- listing: FILE -->    the next block is a part of FILE: listings_test.cpp compares it

A cell that ends with a semicolon is a statement of its section. Any other is an expression, an
assignment or a type. It is computed with fresh variables, and its value is compared with
tests/docs/results.
"""

import pathlib
import re
import sys

DEFINITION = re.compile(
    r"(?!(?:if|for|while|switch|return|else)\b)[A-Za-z][\w:<>,&* ]* \w+\([^=]*\) \{$|struct \w+ \{$")
DECLARATION = re.compile(r"[A-Z]\w* \w+\(")
TYPE = re.compile(r"[\w:]+<[^()]*>$")
TARGET = re.compile(r"(?:\w+\()?(\w+)[^=]*(?<![=<>!])=(?!=)")


def name_of(title):
    """A title as the name of a test."""
    words = re.findall(r"[A-Za-z0-9]+", title)
    return "".join(word[0].upper() + word[1:] for word in words) or "Start"


class Section:
    """The code between two headings."""

    def __init__(self, title):
        self.title, self.definitions, self.statements = title, [], []


class Page:
    """The code of a page, with the lines where it stands."""

    def __init__(self, text):
        self.sections, self.includes, self.cells = [Section("Start")], [], []
        self.variables = []
        fence = comment = None
        listing, column = False, 0
        for number, line in enumerate(text.splitlines(), 1):
            if fence is not None:
                if not line.startswith("```"):
                    fence.append((number, line))
                    continue
                if language == "cpp" and not listing:
                    self.add(fence)
                fence, listing = None, False
            elif comment is not None:
                if line.strip() != "-->":
                    comment.append((number, line))
                    continue
                if kind == "cpp":
                    self.add(comment)
                elif kind == "cpp: cells":
                    self.variables = comment
                comment = None
            elif line.startswith("```"):
                fence, language = [], line[3:]
            elif line.startswith("<!--") and "-->" not in line:
                comment, kind = [], line[4:].strip()
                if kind.startswith("cpp") and kind not in ("cpp", "cpp: cells"):
                    raise SystemExit(f"line {number}: there is no comment of the kind {kind!r}")
            elif line.startswith("<!-- listing: "):
                listing = True
            elif heading := re.match(r"#+ (.*)", line):
                self.sections.append(Section(heading[1]))
            column = self.row(number, line, column) if line.startswith("|") else 0
        if fence is not None or comment is not None:
            raise SystemExit("a block of code or a comment does not end")

    def add(self, lines):
        """Sorts lines of code into includes, definitions and statements of the last section."""
        target, section = None, self.sections[-1]
        for number, line in lines:
            if line.startswith(("#include", "using namespace")):
                self.includes.append((number, line))
                continue
            if target is None and DEFINITION.match(line):
                target = section.definitions
            (section.statements if target is None else target).append((number, line))
            if line.startswith("}"):
                target = None

    def row(self, number, line, column):
        """Takes the code of a row of a table. Returns the column of code; 0: the table has none."""
        cells = [cell.replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)]
        if " C++ " in cells:
            return cells.index(" C++ ")
        if 0 < column < len(cells):
            for code in re.findall(r"`([^`]+)`", cells[column]):
                if code.endswith(";"):
                    self.sections[-1].statements.append((number, code))
                else:
                    self.cells.append((number, code, self.variables))
        return column


def lines_at(page, lines):
    """Lines of code, with the lines of the page for the compiler's messages."""
    last = None
    for number, line in lines:
        if number - 1 != last:
            yield f'#line {number} "{page}"'
        last = number
        yield line


def cell_code(number, code):
    """Statements that compute a cell and note its value."""
    quoted = code.replace("\\", "\\\\").replace('"', '\\"')
    if TYPE.match(code):
        return f"using Type [[maybe_unused]] = {code};"
    if DECLARATION.match(code):
        return f'results.add("{quoted}"); {code};'
    if target := TARGET.match(code):
        return f'{code}; results.add("{quoted}", {target[1]});'
    return (f'results.add_value_of("{quoted}", [&]() -> decltype(auto) {{ return {code}; }});')


def test_of(page, text):
    """The text of a C++ file."""
    found = Page(text)
    name = name_of(page.removeprefix("docs/").removesuffix(".md"))
    out = [f"// Made of {page} by tests/docs/extract_snippets.py.", '#include "docs/snippets.hpp"']
    out += lines_at(page, found.includes)
    out += ["using namespace tutti;", "namespace {"]
    for index, section in enumerate(found.sections):
        if not section.definitions and not section.statements:
            continue
        out += [f"namespace section_{index} {{", *lines_at(page, section.definitions),
                f"TEST({name}, {name_of(section.title)}{index}) {{",
                *lines_at(page, section.statements), "}", "}"]
    if found.cells:
        out += [f"TEST({name}, Tables) {{", f'tutti::snippets::Results results("{name}");']
        for number, code, variables in found.cells:
            device = re.search(r"cuda:\d", code)
            out += [f'if (tutti::snippets::has_device("{device[0]}"))' if device else "", "{",
                    *lines_at(page, variables), f'#line {number} "{page}"',
                    cell_code(number, code), "}"]
        out += ["}"]
    return "\n".join([*out, "}"]) + "\n"


def main():
    root, page, output = sys.argv[1:]
    try:
        text = test_of(page, (pathlib.Path(root) / page).read_text())
    except SystemExit as problem:
        raise SystemExit(f"{page}: {problem}") from None
    pathlib.Path(output).write_text(text)


if __name__ == "__main__":
    main()
