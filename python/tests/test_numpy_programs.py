"""The programs of bench/python: the same text with NumPy and with Tutti but for the import."""

import pathlib

import numpy as np
import pytest

import tutti as tt

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "bench" / "python" / "programs"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
pytestmark = pytest.mark.skipif(not NAMES, reason="the programs are not in a package")


def functions(name, library):
    space = {}
    text = (FOLDER / f"{name}.py").read_text()
    assert text.count("import numpy as np") == 1
    exec(text.replace("import numpy as np", f"import {library} as np"), space)
    return space["initialize"], space["run"]


@pytest.mark.parametrize("name", NAMES)
def test_only_the_import_changes(name):
    initialize, run = functions(name, "numpy")
    _, ours = functions(name, "tutti")
    scale = 0.25

    def call(function, convert):
        given = initialize(np.random.default_rng(1), scale)
        result = function(*[convert(x) if isinstance(x, np.ndarray) else x for x in given])
        return result if isinstance(result, tuple) else (result,)

    for result, expected in zip(call(ours, tt.asarray), call(run, np.copy), strict=True):
        assert isinstance(result, tt.Array) and result.dtype == expected.dtype
        limit = 1e-5 if expected.dtype == np.float32 else 1e-12
        np.testing.assert_allclose(result, expected, rtol=limit, atol=limit * np.max(np.abs(expected)))
