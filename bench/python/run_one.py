"""Runs one program with one library in this process; prints a line of JSON: the time of the first
call, the times of the others, and where the results were stored.

usage: run_one.py program numpy|tutti|numba|jax results.npz seconds"""

import importlib.util
import json
import pathlib
import sys
import time

import numpy

FOLDER = pathlib.Path(__file__).resolve().parent


def load(path, change=lambda text: text):
    """The module of a file, after a change of its text."""
    spec = importlib.util.spec_from_loader(path.stem, loader=None)
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    exec(compile(change(path.read_text()), str(path), "exec"), module.__dict__)
    return module


def as_tuple(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def with_numpy(name):
    return load(FOLDER / "programs" / f"{name}.py").run, numpy.copy, lambda results: None


def with_tutti(name):
    import tutti
    module = load(FOLDER / "programs" / f"{name}.py",
                  lambda text: text.replace("import numpy as np", "import tutti as np"))
    return module.run, tutti.asarray, lambda results: tutti.evaluate(*results)


def with_numba(name):
    return load(FOLDER / "numba_programs.py").PROGRAMS[name], numpy.copy, lambda results: None


def with_jax(name):
    import jax
    jax.config.update("jax_enable_x64", True)
    return (load(FOLDER / "jax_programs.py").PROGRAMS[name], jax.numpy.asarray,
            lambda results: jax.block_until_ready(results))


LIBRARIES = {"numpy": with_numpy, "tutti": with_tutti, "numba": with_numba, "jax": with_jax}


def main(name, library, file, seconds):
    run, convert, wait = LIBRARIES[library](name)
    initialize = load(FOLDER / "programs" / f"{name}.py").initialize
    times, results = [], ()
    while not times or (len(times) < 3 or sum(times) < seconds) and len(times) < 200:
        given = initialize(numpy.random.default_rng(1))
        arguments = [convert(x) if isinstance(x, numpy.ndarray) else x for x in given]
        begin = time.perf_counter()
        results = as_tuple(run(*arguments))
        wait(results)
        times.append(time.perf_counter() - begin)
    numpy.savez(file, *[numpy.asarray(x) for x in results])
    print(json.dumps({"first": times[0], "times": times[1:]}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
