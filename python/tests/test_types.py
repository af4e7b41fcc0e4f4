"""The stubs and a typed program, as a type checker sees them."""

import pathlib
import re
import runpy
import subprocess
import sys

import pytest

import tutti

PROGRAM = pathlib.Path(__file__).with_name("typed_program.py")


def checked(*arguments, folder):
    """What mypy says, each finding as (file, line, code)."""
    package = pathlib.Path(tutti.__file__).parents[1]
    path = {} if package.name == "site-packages" else {"MYPYPATH": str(package)}  # mypy finds that itself
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(folder),
                           *map(str, arguments)], capture_output=True, text=True, timeout=300,
                          env={**path, "PATH": "/usr/bin:/bin"})
    assert "error: Cannot find" not in done.stdout, done.stdout
    assert not done.stderr, done.stderr
    return {(pathlib.Path(file).name, int(line), code)
            for file, line, code in re.findall(r"^(.*?):(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.M)}


def test_the_program_runs():
    if sys.version_info < (3, 11):
        pytest.skip("typing.assert_type is of Python 3.11")
    runpy.run_path(str(PROGRAM))


def test_a_type_checker_finds_what_is_marked_and_nothing_else(tmp_path):
    pytest.importorskip("mypy")
    if sys.version_info < (3, 11):
        pytest.skip("typing.assert_type is of Python 3.11")
    marked = {(PROGRAM.name, number, line.split("# ")[-1])
              for number, line in enumerate(PROGRAM.read_text().splitlines(), 1)
              if re.search(r"  # [a-z-]+$", line)}
    assert len(marked) > 5
    assert checked(PROGRAM, folder=tmp_path) == marked


def test_the_stubs_are_well_formed(tmp_path):
    pytest.importorskip("mypy")
    package = pathlib.Path(tutti.__file__).parent
    assert checked(*sorted(package.glob("*.pyi")), folder=tmp_path) == set()
