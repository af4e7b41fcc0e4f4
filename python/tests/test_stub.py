"""The stub for type checkers names what the extension has, and nothing else."""

import ast
import inspect
import pathlib

import pytest

import tutti
import tutti._numpy_names
from tutti import _core

STUB = pathlib.Path(tutti.__file__).parent / "_core.pyi"
TREE = ast.parse(STUB.read_text())


def names_of(body):
    found = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, ast.Assign):  # another name of the same function
            found.update(target.id for target in node.targets)
    return found


def test_functions_and_types():
    real = {name for name in dir(_core) if not name.startswith("_")}
    types = {"_At", "_Flat", "Number", "ArrayLike", "Key", "Axis"}  # of annotations alone
    assert names_of(TREE.body) - types == real


def test_methods():
    array = next(n for n in TREE.body if isinstance(n, ast.ClassDef) and n.name == "Array")
    named = names_of(array.body)
    assert {name for name in dir(_core.Array) if not name.startswith("_")} == {
        name for name in named if not name.startswith("_")}
    assert not [name for name in named if not hasattr(_core.Array, name)
                and name != "__cuda_array_interface__"]


def parameters_of(node):
    """The names of the parameters of a function of a stub, with how each may be given."""
    a = node.args
    return ([(x.arg, "position") for x in a.posonlyargs] + [(x.arg, "both") for x in a.args]
            + ([(a.vararg.arg, "rest")] if a.vararg else [])
            + [(x.arg, "name") for x in a.kwonlyargs]
            + ([(a.kwarg.arg, "names")] if a.kwarg else []))


KINDS = {inspect.Parameter.POSITIONAL_ONLY: "position",
         inspect.Parameter.POSITIONAL_OR_KEYWORD: "both", inspect.Parameter.VAR_POSITIONAL: "rest",
         inspect.Parameter.KEYWORD_ONLY: "name", inspect.Parameter.VAR_KEYWORD: "names"}


@pytest.mark.parametrize("module", [tutti, tutti.fft, tutti.linalg], ids=lambda m: m.__name__)
def test_the_package(module):
    name = pathlib.Path(module.__file__).stem
    tree = ast.parse((pathlib.Path(tutti.__file__).parent / f"{name}.pyi").read_text())
    imported = {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom)
                for alias in node.names if alias.asname}
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    stubbed = names_of(tree.body) | imported
    public = set(getattr(module, "__all__", [n for n in dir(module) if not n.startswith("_")]))
    if module is tutti:
        public |= set(tutti._numpy_names.names())
    assert not public - stubbed
    for function, node in functions.items():
        real = getattr(module, function)
        if not inspect.isfunction(real):  # of the extension, which has no signature to compare
            continue
        found = [(p.name, KINDS[p.kind]) for p in inspect.signature(real).parameters.values()]
        assert parameters_of(node) == found, function
