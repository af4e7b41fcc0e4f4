"""Writes the Python reference from the source of the package: signatures and docstrings.

In: the folder python/tutti. Out: a map from the name of a page to its Markdown text. Nothing is
imported, so the extension need not be built. Names are public if __init__.py has them.
"""

import ast
import re

from markdown_text import escaped

# Modules by the page they are on, with its title, in the order of the index. A module that is not
# named here has a page of its own.
PAGES = [
    ("array", "Array", []),
    ("creation", "Creating arrays", ["_creation"]),
    ("elementwise", "Element-wise functions", ["_core", "_functions"]),
    ("reductions", "Reductions, scans and statistics", ["_reductions"]),
    ("manipulation", "Arranging elements", ["_manipulation"]),
    ("ordering", "Sorting, searching and sets", ["_ordering"]),
    ("products", "Products", ["_products"]),
    ("types", "Types", ["_information"]),
    ("seq", "Seq: ragged data", ["_seq"]),
    ("program", "Programs over elements", ["_program", "_write"]),
    ("nesl", "NESL", ["_nesl"]),
    ("runtime", "Devices, settings, explain", ["_runtime"]),
    ("errors", "Errors", []),
]
# Modules that users see as such, with their titles; their names are those of __all__.
SUBMODULES = [("fft", "tt.fft: Fourier transforms"), ("linalg", "tt.linalg: linear algebra"),
              ("random", "tt.random: random numbers")]
STANDARD = ("Names and meaning follow the "
            "[Array API standard](https://data-apis.org/array-api/latest/API_specification/).")
ERRORS = ("Error", "ShapeError", "ElementTypeError", "OutOfMemory", "DeviceError", "CompileError",
          "InternalError")


def arguments(node):
    """The parameters of a function, without self and without annotations."""
    copy = ast.parse(ast.unparse(node)).body[0].args
    for argument in copy.posonlyargs + copy.args + copy.kwonlyargs + [copy.vararg, copy.kwarg]:
        if argument:
            argument.annotation = None
    text = ast.unparse(copy)
    text = re.sub(r"^(self|cls)(, )?(/(, )?)?", "", text)
    return re.sub(r"(, )?/$", "", text)


def described(docstring):
    """A docstring as Markdown: prose, and its examples as code."""
    if not docstring:
        return []
    lines, code = [], []
    for line in docstring.splitlines() + [""]:
        if line.startswith((">>>", "...")) or code and line.strip():
            code.append(line)
        else:
            if code:
                lines += ["```python", *code, "```", ""]
                code = []
            lines.append(escaped(line))
    text = "\n".join(lines).strip()
    return [text, ""]


def function(node, prefix, level):
    text = ast.get_docstring(node)
    if not text:
        raise ValueError(f"{prefix}{node.name} has no docstring, and so no description on the site")
    return [f"{'#' * level} `{prefix}{node.name}({arguments(node)})`", "", *described(text)]


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def class_(node, prefix, level, documentation=None):
    """A class: its docstring and public methods. Operators are listed by their names."""
    documentation = documentation or {}
    constructor = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
    call = f"({arguments(constructor[0])})" if constructor else ""
    lines = [f"{'#' * level} `{prefix}{node.name}{call}`", "",
             *described(ast.get_docstring(node))]
    special = []
    for method in node.body:
        if not isinstance(method, ast.FunctionDef) or method.name == "__init__":
            continue
        if method.name.startswith("__"):
            special.append(method.name)
        elif not method.name.startswith("_"):
            shown = method.name + ("" if is_property(method) else f"({arguments(method)})")
            text = described(ast.get_docstring(method)) or documentation.get(method.name)
            if not text:
                raise ValueError(f"{node.name}.{method.name} has no docstring, and so no "
                                 "description on the site")
            lines += [f"{'#' * (level + 1)} `{shown}`", "", *text]
    if special:
        lines += ["Special methods: " + ", ".join(f"`{name}`" for name in special) + ".", ""]
    return lines


def public_names(package):
    """Names of the package, by the module that each comes from."""
    names = {}
    for node in ast.parse((package / "__init__.py").read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names.setdefault(node.module, []).extend(alias.name for alias in node.names)
    return names


def aliases(tree):
    """Names that are assigned another: conj = real, trim_pool = _core.trim_pool."""
    return {node.targets[0].id: node.value for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, (ast.Name, ast.Attribute))}


def module(package, name, names, stubs):
    """The entries of the public functions and classes of a module, by name."""
    path = package / (f"{name}.pyi" if name == "_core" else f"{name}.py")
    tree = ast.parse(path.read_text())
    defined = {node.name: node for node in tree.body
               if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for new, old in aliases(tree).items():
        found = defined.get(old.id) if isinstance(old, ast.Name) else stubs.get(old.attr)
        if new in names and found:
            defined[new] = ast.parse(ast.unparse(found)).body[0]
            defined[new].name = new
    found = {}
    for node in (defined[n] for n in names if n in defined):
        if isinstance(node, ast.FunctionDef):
            found[node.name] = function(node, "tt.", 2)
        elif name != "_core":
            found[node.name] = class_(node, "tt.", 2)
    constants = {target.id for node in tree.body if isinstance(node, ast.Assign)
                 for target in node.targets if isinstance(target, ast.Name)}
    found.update({n: [f"## `tt.{n}`", ""] for n in names if n in constants - set(found)})
    missing = [n for n in names if n not in found and not n.startswith("__") and name != "_core"]
    if missing:
        raise ValueError(f"{path}: the reference does not find {', '.join(missing)}")
    return found


def submodule(package, name):
    """The lines of a module of its own, and its names. What it has from others is only listed."""
    tree = ast.parse((package / f"{name}.py").read_text())
    public = next(ast.literal_eval(n.value) for n in tree.body if isinstance(n, ast.Assign)
                  and n.targets[0].id == "__all__")
    defined = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    lines = described(ast.get_docstring(tree))
    for own in (defined[n] for n in sorted(public) if n in defined):
        write = function if isinstance(own, ast.FunctionDef) else class_
        lines += write(own, f"tt.{name}.", 2)
    shared = sorted(set(public) - set(defined))
    if shared:
        lines += ["As in `tt`: " + ", ".join(f"`{n}`" for n in shared) + ".", ""]
    return lines, sorted(public)


def array_page(package, stubs, names):
    """Methods with the name of a function of the package are that function."""
    functions = {name: [f"[`tt.{name}`]({page}.md) of this array.", ""]
                 for page, _, modules in PAGES for module_ in modules for name in names[module_]}
    lines = class_(stubs["Array"], "tt.", 2, functions)
    tree = ast.parse((package / "_array_methods.py").read_text())
    at = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "_At")
    return lines + ["## `x.at[key]`", ""] + class_(at, "", 2)[2:]


def error_page(stubs):
    lines = ["| exception | is a |", "| --- | --- |"]
    for name in ERRORS:
        lines.append(f"| `tt.{name}` | `{ast.unparse(stubs[name].bases[0])}` |")
    return lines + ["", "[When each is raised](../../python.md#errors).", ""]


def type_page(stubs):
    names = [name for name, node in stubs.items() if isinstance(node, ast.AnnAssign)
             and ast.unparse(node.annotation) == "DType"]
    lines = ["Types of elements: " + ", ".join(f"`tt.{name}`" for name in names) + ".", ""]
    return lines + class_(stubs["DType"], "tt.", 2)


def stubs_of(package):
    result = {}
    for node in ast.parse((package / "_core.pyi").read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            result[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            result[node.target.id] = node
    return result


def pages(package):
    names, stubs = public_names(package), stubs_of(package)
    special = {"array": lambda: array_page(package, stubs, names),
               "errors": lambda: error_page(stubs), "types": lambda: type_page(stubs)}
    on_pages = {name for _, _, modules in PAGES for name in modules}
    others = [(name.strip("_"), name.strip("_").replace("_", " ").capitalize(), [name])
              for name in sorted(set(names) - on_pages)]
    index = ["# Python reference", "", "`import tutti as tt`. Made from the source of the package; "
             "[python.md](../../python.md) is the guide.", "", STANDARD, "", "| page | |",
             "| --- | --- |"]
    result = {}
    for page, title, modules in PAGES + others:
        lines = [f"# {title}", ""]
        if len(modules) == 1:
            tree = ast.parse((package / f"{modules[0]}.py").read_text())
            lines += described(ast.get_docstring(tree))
        lines += special.get(page, list)()
        entries = {}
        for name in modules:
            entries.update(module(package, name, names[name], stubs))
        lines += [line for name in sorted(entries) for line in entries[name]]
        result[page] = "\n".join(lines)
        shown = ", ".join(f"`{name}`" for name in sorted(entries) if not name.startswith("_"))
        index.append(f"| [{title}]({page}.md) | {shown} |")
    for name, title in SUBMODULES:
        lines, public = submodule(package, name)
        result[name] = "\n".join([f"# {title}", "", *lines])
        index.append(f"| [{title}]({name}.md) | {', '.join(f'`{n}`' for n in public)} |")
    return {"index": "\n".join(index) + "\n", **result}
