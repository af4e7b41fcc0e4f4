"""Writes the C++ reference: one page a header, from what cpp_declarations reads there.

In: the folder include/. Out: a map from the name of a page to its Markdown text.
"""

import re

from cpp_declarations import enumeration, read_header
from markdown_text import escaped

# Headers by what they are for, in the order of the index. One that is not named here is put into a
# last group.
GROUPS = [
    ("Arrays", ["array", "elementwise", "transform", "reduce", "vector_ops", "fold", "applicative",
                "access", "indexing", "concat", "create", "along_axis", "sets", "statistics",
                "random", "time_steps", "shape", "types"]),
    ("Matrices and transforms", ["linear_algebra", "matrices", "decompositions", "eigenvalues", "sparse",
                                 "gmres", "complex_array", "fft"]),
    ("Programs", ["program", "control", "keywords", "value", "value_ops", "value_functions",
                  "swizzle", "local_array", "bundle", "write", "complex"]),
    ("Sequences", ["seq", "seq_functions", "seq_elementwise", "seq_fold", "seq_program"]),
    ("Vectors", ["vec", "vec_functions", "record"]),
    ("Files", ["files"]),
    ("Memory of other libraries", ["view", "elements", "dlpack", "eigen"]),
    ("The runtime", ["runtime", "device", "explain", "error"]),
]
# Enumerations that users name and that internal headers declare, by the page they belong to.
ENUMERATIONS = {"array": [("array_link", "Interpolation")], "vector_ops": [("graph", "Collision")]}


def sentence(text):
    """A comment behind a declaration is no sentence; on a page it begins and ends like one."""
    first = text.split()[0]
    if first.isalpha() and len(first) > 1:
        text = text[0].upper() + text[1:]
    return text + "." if text[-1].isalnum() else text


def prose(comment):
    """A comment as paragraphs; indented lines are code."""
    blocks = []
    for line in comment.splitlines():
        kind = "code" if line.startswith("  ") else "list" if line.startswith("- ") else "text"
        if blocks and blocks[-1][0] == "list":
            kind = "list"  # a line that continues an item
        if not line.strip():
            blocks.append(("gap", []))
        elif blocks and blocks[-1][0] == kind:
            blocks[-1][1].append(line)
        else:
            blocks.append((kind, [line]))
    result = []
    for kind, lines in blocks:
        if kind == "code":
            result.append("```cpp\n" + "\n".join(line[2:] for line in lines) + "\n```")
        elif kind == "list":
            items = [line if line.startswith("- ") else "  " + line.strip() for line in lines]
            result.append("\n".join(escaped(line) for line in items))
        elif kind == "text":
            result.append(sentence(escaped(" ".join(lines))))
    return "\n\n".join(result)


def grouped(declarations):
    """Declarations that one comment describes, together."""
    groups = []
    for declaration in declarations:
        if groups and not declaration.first and groups[-1][0].kind == declaration.kind:
            groups[-1].append(declaration)
        else:
            groups.append([declaration])
    return groups


def names_of(group):
    """The names of declarations, those whose signatures are shown first."""
    names = [d.name for d in group] + [name for d in group for name in d.others]
    return list(dict.fromkeys(names))


def heading(names, level, class_name=""):
    if names == [class_name]:
        return f"{'#' * level} Constructors"
    shown = ", ".join(f"`{name}`" for name in names[:6])
    return f"{'#' * level} {shown}" + (", …" if len(names) > 6 else "")


def entry(group, level, class_name=""):
    names = names_of(group)
    several = any("\n" in d.signature for d in group)
    code = ("\n\n" if several else "\n").join(d.signature for d in group)
    lines = [heading(names, level, class_name), "", "```cpp", code, "```", ""]
    comments = []
    for declaration in group:
        if declaration.comment and declaration.comment not in comments:
            comments.append(declaration.comment)
    lines += [text for comment in comments for text in (prose(comment), "")]
    others = [name for d in group for name in d.others]
    if others:
        lines += ["Also: " + ", ".join(f"`{name}`" for name in dict.fromkeys(others)) + ".", ""]
    for declaration in group:
        if declaration.rows:
            lines += ["| function | |", "| --- | --- |"]
            lines += [f"| `{name}` | {escaped(text)} |" for name, text in declaration.rows] + [""]
    for declaration in group:
        lines += entries(grouped(declaration.members), level + 1, declaration.name)
    return lines


def entries(groups, level, class_name=""):
    """Those of one name that follow one another have one heading."""
    lines, before = [], ""
    for group in groups:
        found = entry(group, level, class_name)
        lines += found[2:] if found[0] == before else found
        before = found[0]
    return lines


def page(path, include):
    comments, declarations, macros = read_header(path, include)
    declarations += [enumeration(include / f"tutti/detail/{header}.hpp", name)
                     for header, name in ENUMERATIONS.get(path.stem, [])]
    lines = [f"# {path.name}", "", f"`#include <tutti/{path.name}>`", ""]
    lines += [text for comment in comments[:1] for text in (prose(comment), "")]
    if macros:
        lines += ["## Macros", "", "```cpp", *(macro.signature for macro in macros), "```", ""]
        lines += [text for macro in macros if macro.comment for text in (prose(macro.comment), "")]
    level, pending = 2, []
    for group in grouped(declarations):
        if group[0].kind == "section":
            title = group[0].name
            lines += entries(pending, level)
            lines += [f"## {title[:1].upper()}{title[1:].split(':')[0]}", ""]
            level, pending = 3, []
        else:
            pending.append(group)
    lines += entries(pending, level)
    if len(comments) > 1:
        title, _, text = comments[1].partition("\n")
        lines += [f"## {title}", "", prose(text), ""]
    return "\n".join(lines)


def summary(path):
    """The first sentence of a header."""
    comment = re.match(r"(?://.*\n)*", path.read_text())[0]
    text = " ".join(line[3:] for line in comment.splitlines() if line.startswith("// "))
    return escaped(re.split(r"(?<=[a-z)>])\.(?= |$)|:? +(?=Program reflect)", text)[0])


def pages(include):
    headers = {path.stem: path for path in sorted((include / "tutti").glob("*.hpp"))}
    headers.pop("tutti")
    groups = [(title, [name for name in names if name in headers]) for title, names in GROUPS]
    known = {name for _, names in groups for name in names}
    if others := [name for name in headers if name not in known]:
        groups.append(("More", others))
    index = ["# C++ reference", "",
             "Made from the comments of the headers in `include/tutti`. "
             "`#include <tutti/tutti.hpp>` includes all but `eigen.hpp`, `interruption.hpp`, "
             "`keywords.hpp` and `ranks.hpp`.", "",
             "Everything is in the namespace `tutti`; names in `tutti::detail` are internals. "
             "Most functions take the line of the call as a last, hidden argument, for error "
             "messages; it is left out here.", ""]
    result = {}
    for title, names in groups:
        index += [f"## {title}", "", "| header | |", "| --- | --- |"]
        for name in names:
            result[name] = page(headers[name], include)
            index.append(f"| [{name}.hpp]({name}.md) | {summary(headers[name])} |")
        index.append("")
    return {"index": "\n".join(index), **result}
