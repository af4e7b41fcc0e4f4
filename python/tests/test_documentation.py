"""Python code in the documents is run: as doctests in docs/, as programs in the READMEs."""

import pathlib
import re

import numpy as np
import pytest

import tutti as tt

ROOT = pathlib.Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not (ROOT / "docs").exists(), reason="the source tree is not there")


def blocks(page):
    return re.findall(r"^```(?:python|pycon)\n(.*?)^```", page.read_text(), re.M | re.S)


def test_blocks_of_the_documents_are_doctests():
    """A block without prompts would not be run; one without a blank line at its end would fail."""
    found = 0
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for block in blocks(page):
            found += 1
            assert block.startswith(">>> "), f"{page.name}: {block}"
            assert block.endswith("\n\n"), f"{page.name}: no blank line behind {block}"
    assert found > 10


@pytest.mark.parametrize("name", ["README.md", "python/README.md"])
def test_programs_of_the_readmes_run(name, capsys):
    code = blocks(ROOT / name)
    assert code
    for block in code:
        exec(compile(block, name, "exec"), {})
    assert "kernel 1" in capsys.readouterr().out


def table_rows(page):
    """The code of the columns NumPy and Python of all tables, row by row."""
    columns = None
    for line in page.read_text().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells:
            columns = None
        elif "NumPy" in cells and "Python" in cells:
            columns = cells.index("NumPy"), cells.index("Python")
        elif columns and not cells[0].startswith("---") and cells[columns[1]]:
            yield tuple(cells[column].replace("\\|", "|").strip("`") for column in columns)


def value_of(code, names):
    """The value of an expression, or of the vector that a statement has changed."""
    try:
        value = eval(code, names)
    except SyntaxError:
        exec(code, names)
        value = None
    return np.asarray(names["v"] if value is None else value)


def test_rows_of_the_page_for_numpy_users_agree():
    def of_numpy():
        return {"np": np, "x": np.arange(6.0).reshape(2, 3), "v": np.asarray([3, 1, 2, 1]),
                "i": np.asarray([2, 0])}

    rows = list(table_rows(ROOT / "docs/coming_from/numpy.md"))
    assert len(rows) > 40
    for numpy_code, tutti_code in rows:
        names = {name: tt.asarray(value) if isinstance(value, np.ndarray) else value
                 for name, value in of_numpy().items()}
        got = value_of(tutti_code, {**names, "tt": tt})
        want = value_of(numpy_code, of_numpy())
        assert got.shape == want.shape and got.dtype == want.dtype, tutti_code
        assert np.allclose(got, want, rtol=1e-14), tutti_code
