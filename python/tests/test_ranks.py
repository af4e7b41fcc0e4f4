"""One program on several processes. Those that mpirun starts are skipped where it or libtutti-mpi is
missing."""

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import tutti as tt

PROGRAM = """
import numpy as np
import tutti as tt
{first}
tt.ranks.use("mpi")
assert tt.ranks.size() == {count}
x = tt.arange(200_000, dtype=tt.float64)
y = tt.sin(x * 0.001) * 2 + 1
total = float(tt.sum(y))
part = tt.ranks.part_of(y)
mine = np.asarray(tt.ranks.local_part(y))
assert not part.is_whole and mine.shape == (part.end - part.begin,)
assert np.array_equal(mine, np.asarray(y)[part.begin:part.end])
table = tt.ranks.distribute(tt.reshape(x, (400, 500)), axis=1)
picked = np.asarray(tt.take(tt.reshape(table, (-1,)), tt.asarray(np.arange(0, 200_000, 7))))
assert np.array_equal(picked, np.arange(0, 200_000, 7))
if tt.ranks.rank() == 0:
    print(total.hex(), float(tt.sort(y)[1000]).hex())
else:
    float(tt.sort(y)[1000])
"""


def test_alone():
    assert (tt.ranks.rank(), tt.ranks.size()) == (0, 1)
    a = tt.asarray([1.0, 2.0, 3.0])
    assert tt.ranks.part_of(a) == (0, 0, 3, True)
    assert np.array_equal(np.asarray(tt.ranks.distribute(a, -1)), [1.0, 2.0, 3.0])
    assert tt.ranks.traffic() == (0, 0, 0)
    with pytest.raises(tt.ShapeError):
        tt.ranks.distribute(a, 1)
    with pytest.raises(tt.Error):
        tt.ranks.use("pigeons")


def has_plugin():
    folders = [pathlib.Path(tt.__file__).parent] + [
        pathlib.Path(line.split()[-1]).parent
        for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if "libtutti" in line]
    return any((folder / "libtutti-mpi.so").exists() for folder in folders)


def run(count, program):
    tt.evaluate(tt.asarray([1.0]) + 1)  # the library is loaded
    if not shutil.which("mpirun") or not has_plugin():
        pytest.skip("mpirun or libtutti-mpi is missing")
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return subprocess.run(
        ["mpirun", *as_root, "--oversubscribe", "-n", str(count), sys.executable, "-c", program],
        capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
        env=os.environ | {"TUTTI_THREADS": "1"})


def test_processes_give_the_same_bits():
    outputs = set()
    for count in (2, 3):
        result = run(count, PROGRAM.format(count=count, first=""))
        assert result.returncode == 0, result.stderr
        outputs.add(result.stdout)
    assert len(outputs) == 1


def test_beside_mpi4py():
    pytest.importorskip("mpi4py")
    result = run(2, PROGRAM.format(count=2, first="from mpi4py import MPI"))
    assert result.returncode == 0, result.stderr


def test_a_rank_that_raises_ends_all():
    result = run(2, """
import tutti as tt
tt.ranks.use("mpi")
if tt.ranks.rank() == 1:
    raise ValueError("no more")
float(tt.sum(tt.arange(200_000) * 2))
""")
    assert result.returncode != 0
    assert "no more" in result.stderr
