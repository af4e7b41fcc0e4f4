"""tutti.Write and tutti.scatter, for type checkers and editors."""

from collections.abc import Iterable
from typing import Any, Literal

from ._core import Array, ArrayLike

class Write:
    index: tuple[Array, ...]
    value: Array
    def __init__(self, index: Any, value: ArrayLike, where: Any = True) -> None: ...

def scatter(x: ArrayLike, writes: Write | Iterable[Write], /,
            how: Literal["set", "first", "add", "min", "max"] = "set") -> Array: ...
