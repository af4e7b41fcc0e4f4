"""Arguments that NumPy's functions have under other names, or have alone: tt.linspace(start=0, stop=1),
tt.polyfit(x, y, deg=2), tt.median(x, out=y). An argument that only NumPy has makes NumPy compute the
call, on the host."""

import functools

from . import _core

_VARARGS = 0x04  # inspect.CO_VARARGS, without the import

# What says nothing of elements: where they lie in memory, the class of an array, how to compute.
_WITHOUT_MEANING = ("subok", "like", "copy", "optimize", "overwrite_input")
_MADE_IN_ANY_ORDER = ("array", "copy", "empty_like", "eye", "full_like", "identity", "ones_like", "zeros_like")


def completed(function, module="numpy"):
    """The function, which takes NumPy's arguments as well."""
    code = function.__code__
    named = code.co_varnames[code.co_posonlyargcount:code.co_argcount + code.co_kwonlyargcount]
    known = frozenset(named)
    positions = float("inf") if code.co_flags & _VARARGS else code.co_argcount

    @functools.wraps(function)
    def call(*args, **kwargs):
        if len(args) > positions:
            args = _by_name(function, module, args, kwargs)
        if kwargs and not known.issuperset(kwargs):
            return _called(function, known, module, args, kwargs)
        return function(*args, **kwargs)

    call.__module__ = module.replace("numpy", "tutti", 1)
    return call


def _by_name(function, module, args, kwargs):
    """The arguments that have a position here; what NumPy has at later ones is added to the others by its name."""
    own, theirs = function.__code__.co_argcount, _parameters(module, function.__name__)
    further = theirs[own:len(args)]
    if len(further) < len(args) - own or None in further or not kwargs.keys().isdisjoint(further):
        return args  # an error of the call
    kwargs.update(zip(further, args[own:]))
    return args[:own]


def _called(function, known, module, args, kwargs):
    name = function.__name__
    for argument in _WITHOUT_MEANING:
        if argument not in known:
            kwargs.pop(argument, None)
    order = kwargs.get("order", "")
    if "order" not in known and (order in ("C", "A", "K", None) or order == "F" and name in _MADE_IN_ANY_ORDER):
        del kwargs["order"]
    out = kwargs.pop("out", None) if "out" not in known else None
    where = True
    if "where" not in known and _is_of_elements(module, name):
        where = kwargs.pop("where", True)
    args, kwargs = _renamed(function, known, module, args, kwargs)
    if known.issuperset(kwargs) or not _has(module, name):
        result = function(*args, **kwargs)  # whose error names the argument
    else:
        from ._numpy_itself import find
        result = find(module, name)(*args, **kwargs)
    if where is not True:
        result = _core.with_flags(result, where, out)
    return result if out is None else _core.stored_in(_core.as_array(result), out, name)


def _is_of_elements(module, name):
    """Whether it is a function of elements: `where` says which of them are computed."""
    try:
        import numpy
    except ImportError:
        return False
    return module == "numpy" and isinstance(getattr(numpy, name, None), numpy.ufunc)


def _has(module, name):
    import importlib
    try:
        return hasattr(importlib.import_module(module), name)
    except ImportError:
        return False


@functools.lru_cache(None)
def _parameters(module, name):
    """The parameters of NumPy's function that may be given by position, None for those without a
    name in a call; no parameters without NumPy."""
    import importlib
    import inspect
    try:
        function = getattr(importlib.import_module(module), name)
        found = inspect.signature(function).parameters.values()
    except (ImportError, AttributeError, ValueError):
        return ()
    return tuple(p.name if p.kind is p.POSITIONAL_OR_KEYWORD else None
                 for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD))


def _renamed(function, known, module, args, kwargs):
    """The call with our names: those of NumPy are matched by their position."""
    code = function.__code__
    own = code.co_varnames[:code.co_argcount]
    theirs = _parameters(module, function.__name__)
    names = {n: o for n, o in zip(theirs, own) if n is not None and o not in theirs}
    given = {names[n] if n not in known and n in names else n: value for n, value in kwargs.items()}
    if len(given) != len(kwargs):
        return args, kwargs
    args, defaults = list(args), function.__defaults__ or ()
    missing = len(own) - len(defaults)
    for at in range(len(args), code.co_posonlyargcount):  # these have no names in a call
        if own[at] in given:
            args.append(given.pop(own[at]))
        elif at >= missing and any(n in given for n in own[at:code.co_posonlyargcount]):
            args.append(defaults[at - missing])
        else:
            break
    return args, given
