"""The stub for type checkers names what the extension has, and nothing else."""

import ast
import importlib
import inspect
import pathlib
import re

import numpy
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


def test_parameters_of_methods():
    array = next(n for n in TREE.body if isinstance(n, ast.ClassDef) and n.name == "Array")
    for node in array.body:
        real = inspect.getattr_static(_core.Array, node.name, None) if isinstance(node, ast.FunctionDef) else None
        if not inspect.isfunction(real) or node.name.startswith("__"):
            continue
        found = [(p.name, KINDS[p.kind]) for p in inspect.signature(real).parameters.values()]
        if found[1:] != [("args", "rest"), ("kwargs", "names")]:
            assert parameters_of(node)[1:] == found[1:], node.name
            continue
        x = tutti.asarray([1])  # the method is a function of the package
        for place, (parameter, _) in enumerate(parameters_of(node)[1:]):
            assert accepts(getattr(x, node.name), parameter, place), (node.name, parameter)


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


MODULES = [tutti, tutti.fft, tutti.linalg]


def stub_of(module):
    name = pathlib.Path(module.__file__).stem
    return ast.parse((pathlib.Path(tutti.__file__).parent / f"{name}.pyi").read_text())


def functions_of(module):
    """The functions that a stub defines, with each of their signatures."""
    return [(node.name, node) for node in stub_of(module).body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_the_package(module):
    tree = stub_of(module)
    imported = {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom)
                for alias in node.names if alias.asname}
    stubbed = names_of(tree.body) | imported
    public = set(getattr(module, "__all__", [n for n in dir(module) if not n.startswith("_")]))
    if module is tutti:
        public |= set(tutti._numpy_names.names())
    assert not public - stubbed


def is_completed(function):
    return inspect.isfunction(function) and hasattr(function, "__wrapped__")


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_functions_with_parameters_of_their_own(module):
    for name, node in functions_of(module):
        real = getattr(module, name)
        if not inspect.isfunction(real) or is_completed(real):
            continue
        found = [(p.name, KINDS[p.kind]) for p in inspect.signature(real).parameters.values()]
        assert parameters_of(node) == found, name


# What is said about an argument that a function does not take, by Python and by NumPy.
REFUSALS = re.compile("unexpected keyword|invalid keyword|positional-only arguments passed as keyword")


def accepts(function, name, before):
    """Whether calls may name the argument, after some by position. What else is wrong with them is another error."""
    try:
        function(*[1.0] * before, **{name: None})
    except TypeError as error:
        return not REFUSALS.search(str(error))
    except Exception:
        return True
    return True


def needed_by(node):
    return len(node.args.posonlyargs) + len(node.args.args) - len(node.args.defaults)


def places_of(node):
    """For each parameter of a stub that calls may name: how many arguments by position go before it."""
    needed = needed_by(node)
    places = {a.arg: i for i, a in enumerate(node.args.posonlyargs + node.args.args)}
    return {p: places.get(p, needed) for p, kind in parameters_of(node) if kind in ("both", "name")}


def of_numpy(module, name):
    numpy_module = importlib.import_module(module.__name__.replace("tutti", "numpy", 1))
    try:
        return list(inspect.signature(getattr(numpy_module, name)).parameters.values())
    except (AttributeError, ValueError):
        return []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_functions_take_the_arguments_that_the_stub_names(module):
    checked = 0
    for name, node in functions_of(module):
        real = getattr(module, name)
        if not is_completed(real):
            continue
        places = places_of(node)
        if name not in ("einsum", "pad", "piecewise"):  # which pass names on, or refuse 1.0 first
            assert not accepts(real, "no_such_argument", needed_by(node)), name
        for parameter, before in places.items():
            assert accepts(real, parameter, before), (name, parameter)
        checked += len(places)
    assert checked > 20


# A NumPy that is newer has parameters that the stub does not know yet.
@pytest.mark.skipif(tuple(map(int, numpy.__version__.split(".")[:2])) > (2, 4), reason="a newer NumPy")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_the_stub_names_the_arguments_that_functions_take(module):
    for name, node in functions_of(module):
        real = getattr(module, name)
        if not is_completed(real) or name == "clip":  # its are those of the Array API
            continue
        places = places_of(node)
        own = [p.name for p in inspect.signature(real).parameters.values() if p.kind is p.KEYWORD_ONLY]
        theirs = [p.name for p in of_numpy(module, name) if KINDS[p.kind] in ("both", "name")]
        others = {p for p in own + theirs if p not in places}
        missing = {p for p in others if accepts(real, p, len(node.args.posonlyargs))}
        assert not missing, name


def test_arguments_at_positions_are_those_of_numpy():
    """Or of the Array API: a function has no other parameter at a place where NumPy has one of the same name."""
    for module in MODULES:
        for name, _ in functions_of(module):
            real = getattr(module, name)
            if not is_completed(real):
                continue
            by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            own = [p.name for p in inspect.signature(real).parameters.values() if p.kind in by_position]
            theirs = [p.name for p in of_numpy(module, name) if p.kind in by_position]
            wrong = [(a, b) for a, b in zip(own, theirs) if a != b and a in theirs]
            assert not wrong, (name, wrong)


@pytest.mark.parametrize("name", [n.name for n in TREE.body if isinstance(n, ast.FunctionDef)
                                  and "dtype" in ast.unparse(n.args) and "where" in ast.unparse(n.args)
                                  and getattr(tutti, n.name) is getattr(_core, n.name)])
def test_functions_of_elements(name):
    function = getattr(tutti, name)
    x = tutti.asarray([1, 1]) if "bitwise" in name else tutti.asarray([1.0, 1.0])
    out = function(x, dtype=None, where=True)
    assert function(x, out=out, where=[True, False]) is out
    if out.dtype == x.dtype:
        narrow = tutti.int16 if "bitwise" in name else tutti.float32
        assert function(x, dtype=narrow if "bitwise" not in name else x.dtype).dtype in (narrow, x.dtype)
    with pytest.raises(TypeError):
        function(x, no_such_argument=None)
