"""Runs the programs of this folder with NumPy, Tutti, Numba and JAX, each in a separate process.
Compares the results with those of NumPy and prints the times as a table.

usage: compare.py [--seconds S] [--libraries tutti,numba,jax] [program...]

The text of a program is the same for NumPy and for Tutti but for the import. Times are medians,
without the first call, which compiles and has a column of its own for Tutti. A library that is not
installed is left out."""

import argparse
import importlib.util
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy

FOLDER = pathlib.Path(__file__).resolve().parent


def measure(name, library, folder, seconds):
    """The times of a library and its results, or why there are none."""
    file = pathlib.Path(folder) / f"{name}.{library}.npz"
    done = subprocess.run([sys.executable, FOLDER / "run_one.py", name, library, file, str(seconds)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
        raise SystemExit(f"{name} fails with {library}")
    found = json.loads(done.stdout.splitlines()[-1])
    with numpy.load(file) as stored:
        return found["first"], statistics.median(found["times"]), [stored[k] for k in stored.files]


def difference(results, expected):
    """The greatest difference, relative to the greatest number of each result."""
    worst = 0.0
    for a, b in zip(results, expected, strict=True):
        if a.shape != b.shape:
            raise SystemExit(f"shapes {a.shape} and {b.shape}")
        scale = float(numpy.max(numpy.abs(b.astype("float64")), initial=0.0)) or 1.0
        worst = max(worst, float(numpy.max(numpy.abs(a.astype("float64") - b), initial=0.0)) / scale)
    return worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--seconds", type=float, default=2.0, help="least time for each")
    parser.add_argument("--libraries", default="tutti,numba,jax")
    options = parser.parse_args()
    programs = options.programs or sorted(p.stem for p in (FOLDER / "programs").glob("*.py"))
    libraries = [library for library in options.libraries.split(",")
                 if importlib.util.find_spec(library)]
    print("| program | NumPy ms | " + " | ".join(f"{library} ms" for library in libraries)
          + " | NumPy / Tutti | best other / Tutti | first call ms | difference |")
    print("| --- |" + " ---: |" * (len(libraries) + 5))
    with tempfile.TemporaryDirectory() as folder:
        for name in programs:
            _, base, expected = measure(name, "numpy", folder, options.seconds)
            times, first, worst = {}, 0.0, 0.0
            for library in libraries:
                begin, times[library], results = measure(name, library, folder, options.seconds)
                apart = difference(results, expected)
                limit = 1e-5 if any(r.dtype == numpy.float32 for r in expected) else 1e-9
                if apart > limit:
                    raise SystemExit(f"{name}: {library} differs from NumPy by {apart}")
                if library == "tutti":
                    first, worst = begin, apart
            others = [t for library, t in times.items() if library != "tutti"]
            ours = times.get("tutti", base)
            cells = [f"{base * 1e3:.1f}"] + [f"{times[x] * 1e3:.1f}" for x in libraries]
            cells += [f"{base / ours:.2f}", f"{min(others) / ours:.2f}" if others else "",
                      f"{first * 1e3:.0f}", f"{worst:.0e}"]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
