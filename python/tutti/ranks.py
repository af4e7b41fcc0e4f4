"""One program on several processes: ``mpirun -n 4 python program.py``.

Every process, a rank, runs the whole program. Large arrays are split between the ranks when they
are computed, and results have the bits that one process gives. Join the ranks at the start, by
``tt.ranks.use("mpi")`` or with the environment variable ``TUTTI_RANKS=mpi``. mpi4py may be used
beside it: whichever comes first starts MPI.

>>> import tutti as tt
>>> tt.ranks.size()
1
>>> tt.ranks.part_of(tt.arange(10)).is_whole
True
"""

from typing import NamedTuple

from . import _core
from ._core import RankError
from ._creation import asarray

__all__ = ["Part", "RankError", "Traffic", "barrier", "distribute", "local_part", "part_of",
           "rank", "size", "split_from", "traffic", "use"]


class Part(NamedTuple):
    """The elements that this rank holds: those from begin to end on one axis."""

    axis: int
    begin: int
    end: int
    is_whole: bool


class Traffic(NamedTuple):
    """What this rank has sent to others."""

    gathers: int
    messages: int
    bytes: int


def use(transport):
    """Joins the ranks that mpirun has started: "mpi". "none" leaves them."""
    _core.ranks_use(transport)


def rank():
    """The number of this process, from 0."""
    return _core.ranks_rank()


def size():
    """How many processes run the program; 1 if there are no others."""
    return _core.ranks_size()


def split_from(elements=None):
    """From how many elements on arrays are split; sets it if a number is given."""
    if elements is not None:
        _core.ranks_set_split_from(elements)
    return _core.ranks_split_from()


def barrier():
    """Waits until all ranks are here."""
    _core.ranks_barrier()


def distribute(a, axis=0):
    """The array, computed and split along an axis.

    >>> import tutti as tt
    >>> int(tt.sum(tt.ranks.distribute(tt.arange(10))))
    45
    """
    a = asarray(a)
    return _core.ranks_distribute(a, axis + a.ndim if axis < 0 else axis)


def part_of(a):
    """Computes the array and says which part of it this rank holds."""
    return Part(*_core.ranks_part_of(a))


def local_part(a):
    """The elements that this rank holds, as an array. It differs from rank to rank."""
    return _core.ranks_local_part(a)


def traffic():
    """What this rank has sent to others since it joined them."""
    return Traffic(*_core.ranks_traffic())
