"""The stub for type checkers names what the extension has, and nothing else."""

import ast
import pathlib

import tutti
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
    return found


def test_functions_and_types():
    real = {name for name in dir(_core) if not name.startswith("_")}
    assert names_of(TREE.body) - {"_At"} == real


def test_methods():
    array = next(n for n in TREE.body if isinstance(n, ast.ClassDef) and n.name == "Array")
    named = names_of(array.body)
    assert {name for name in dir(_core.Array) if not name.startswith("_")} == {
        name for name in named if not name.startswith("_")}
    assert not [name for name in named if not hasattr(_core.Array, name)
                and name != "__cuda_array_interface__"]
