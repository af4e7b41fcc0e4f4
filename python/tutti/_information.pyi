"""What tutti says of types, for type checkers and editors."""

import dataclasses

from ._core import DType

@dataclasses.dataclass(frozen=True)
class FloatInfo:
    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType

@dataclasses.dataclass(frozen=True)
class IntegerInfo:
    bits: int
    max: int
    min: int
    dtype: DType
