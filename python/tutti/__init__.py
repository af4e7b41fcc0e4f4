"""Data-parallel arrays, compiled at run time into fused code for the CPU or GPU at hand.

>>> import tutti as tt
>>> x = tt.linspace(0, 1, 5)
>>> y = 2 * x + 1          # nothing is computed yet
>>> y
Array([1. , 1.5, 2. , 2.5, 3. ], dtype=float64)

Names and meaning of functions follow the Python Array API standard.
"""

from . import _core
from ._core import (Array, CompileError, DeviceError, DType, ElementTypeError, Error,
                    InternalError, OutOfMemory, ShapeError)
from ._core import (abs, acos, acosh, add, asin, asinh, atan, atan2, atanh, bitwise_and,
                    bitwise_count, bitwise_invert, bitwise_left_shift, bitwise_or,
                    bitwise_right_shift, bitwise_xor, cbrt, ceil, copysign, cos, cosh, divide,
                    equal, erf, erfc, exp, exp2, expm1, floor, floor_divide, gamma, greater,
                    greater_equal, hypot, isfinite, isinf, isnan, less, less_equal, lgamma, log,
                    log10, log1p, log2, logaddexp, logical_and, logical_not, logical_or,
                    logical_xor, maximum, minimum, multiply, negative, nextafter, not_equal, pow,
                    reciprocal, remainder, sign, sin, sinh, sqrt, subtract, tan, tanh,
                    trunc, where)
from ._core import bool, float16, float32, float64, int8, int16, int32, int64  # noqa: A004
from ._core import complex64, complex128, uint8, uint16, uint32, uint64
from ._ufuncs import Ufunc
for _function in (add, atan2, bitwise_and, bitwise_left_shift, bitwise_or, bitwise_right_shift,
                  bitwise_xor, copysign, divide, equal, floor_divide, greater, greater_equal, hypot,
                  less, less_equal, logaddexp, logical_and, logical_or, logical_xor, maximum,
                  minimum, multiply, nextafter, not_equal, pow, remainder, subtract):
    globals()[_function.__name__] = Ufunc(_function)
del _function
from . import _array_methods  # noqa: F401  gives Array its methods
from ._creation import (arange, asarray, empty, empty_like, eye, from_dlpack, full, full_like,
                        linspace, meshgrid, ones, ones_like, tril, triu, zeros, zeros_like)
from ._manipulation import (AxisError, broadcast_arrays, broadcast_shapes, broadcast_to, concat,
                            expand_dims, flip, moveaxis, pad, permute_dims, repeat, reshape,
                            roll, squeeze, stack, swapaxes, tile, unstack)
from ._reductions import (all, any, argmax, argmin, count_nonzero, cumulative_prod,
                          cumulative_sum, diff, max, mean, min, nanmax, nanmin, prod, std, sum,
                          var)
from ._ordering import (argsort, nonzero, searchsorted, sort, take, take_along_axis, top_k,
                        unique_all, unique_counts, unique_inverse, unique_values)
from ._products import einsum, matmul, matrix_transpose, outer, tensordot, vecdot
from ._information import (__array_namespace_info__, astype, can_cast, finfo, iinfo, isdtype,
                           result_type)
from ._functions import (angle, clip, conj, imag, iscomplex, isreal, positive, real, round,
                         signbit, square)
from ._runtime import (clear_kernel_cache, device, devices, evaluate, explain, precision,
                       settings, statistics, synchronize, trim_pool, use)
from ._seq import Seq
from ._program import Program, if_, program, while_
from ._write import Write, scatter
from ._nesl import NeslError, load_ipython_extension, nesl
from . import fft, linalg, random, ranks
from ._numpy_arguments import completed
for _name in ("arange", "argsort", "broadcast_to", "clip", "concat", "count_nonzero",
              "cumulative_prod", "cumulative_sum", "diff", "conj", "einsum", "empty_like",
              "expand_dims", "eye", "flip", "full_like", "imag", "linspace", "matmul",
              "matrix_transpose", "meshgrid", "moveaxis", "nanmax", "nanmin", "nonzero",
              "ones_like", "outer", "pad", "permute_dims", "positive", "real", "repeat", "roll",
              "round", "searchsorted", "signbit", "sort", "square", "squeeze", "stack", "std",
              "swapaxes", "take", "take_along_axis", "tensordot", "tile", "tril", "triu", "var",
              "zeros_like"):
    globals()[_name] = completed(globals()[_name])
for _module in (fft, linalg):
    for _name in _module.__all__:
        setattr(_module, _name, completed(getattr(_module, _name), "numpy." + _module.__name__[6:]))
del _name, _module, completed

__array_api_version__ = "2024.12"
__version__ = _core.version()
e = 2.718281828459045
pi = 3.141592653589793
inf = float("inf")
nan = float("nan")
newaxis = None


def __getattr__(name):
    """NumPy's names: of functions that the Array API calls otherwise, and of what only NumPy has."""
    if name.startswith("_"):
        raise AttributeError(f"module 'tutti' has no attribute {name!r}")
    from . import _numpy_itself, _numpy_names
    value = _numpy_names.find(name)
    if value is None:
        return _numpy_itself.find("numpy", name)
    globals()[name] = value
    return value
