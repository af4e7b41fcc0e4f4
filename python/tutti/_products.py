"""Matrix and tensor products."""

from . import _core
from ._manipulation import as_array, axes_of, axis_of, permute_dims


def _same_type(a, b):
    dtype = _core.promote(a.dtype, b.dtype)
    return _core.astype(a, dtype), _core.astype(b, dtype)


def _by_parts(product, a, b):
    """A product that is linear in both factors; of complex elements, from four of their parts. Of flags,
    whether a product holds, as in NumPy."""
    if a.dtype.kind == "b":
        return product(_core.astype(a, _core.int32), _core.astype(b, _core.int32)) != 0
    if a.dtype.kind != "c":
        return product(a, b)
    p, q, r, s = _core.real(a), _core.imag(a), _core.real(b), _core.imag(b)
    return _core.complex_of(product(p, r) - product(q, s), product(p, s) + product(q, r))


def matmul(x1, x2, /):
    """The matrix product, of the last two axes; vectors are rows on the left, columns on the right.

    >>> import tutti as tt
    >>> (tt.ones((2, 3)) @ tt.ones((3, 4))).shape
    (2, 4)
    """
    x1, x2 = _same_type(_core.as_array(x1), _core.as_array(x2))
    if _core.is_lifted(x1) or _core.is_lifted(x2):  # vectors inside of each()
        return _core.reduce_axes("any" if x1.dtype.kind == "b" else "sum", x1 * x2, None, False)
    if x1.ndim == 0 or x2.ndim == 0:
        raise ValueError("matmul: an operand has no axes; use * for numbers")
    inner = x2.shape[-2] if x2.ndim > 1 else x2.shape[0]
    if x1.shape[-1] != inner:
        raise ValueError(f"matmul: the shapes {x1.shape} and {x2.shape} do not fit: "
                         f"{x1.shape[-1]} columns against {inner} rows")
    return _by_parts(_core.matmul, x1, x2)


def matrix_transpose(x, /):
    """The matrix, or matrices, with rows and columns exchanged."""
    x = as_array(x)
    if x.ndim < 2:
        raise ValueError(f"matrix_transpose: an array with {x.ndim} axes is no matrix")
    order = list(range(x.ndim))
    order[-1], order[-2] = order[-2], order[-1]
    return permute_dims(x, order)


def vecdot(x1, x2, /, *, axis=-1):
    """The sum of products along an axis."""
    x1 = as_array(x1)
    x2 = as_array(x2)
    x1, x2 = _same_type(x1, x2)
    if _core.is_lifted(x1) or _core.is_lifted(x2):
        return _core.reduce_axes("any" if x1.dtype.kind == "b" else "sum", x1 * x2, None, False)
    if not -min(x1.ndim, x2.ndim) <= axis < 0:
        axis_of(axis, min(x1.ndim, x2.ndim), "vecdot")
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"vecdot: {x1.shape[axis]} and {x2.shape[axis]} elements")
    product = _core.conj(x1) * x2
    how = "any" if product.dtype.kind == "b" else "sum"
    return _core.reduce(how, product, [product.ndim + axis if axis < 0 else axis])


def outer(x1, x2, /):
    """All products of an element of x1 and one of x2."""
    x1, x2 = _core.as_array(x1), _core.as_array(x2)
    x1, x2 = _core.reshape(x1, [x1.size, 1]), _core.reshape(x2, [1, x2.size])
    return x1 * x2


def tensordot(x1, x2, /, axes=2):
    """The sum of products over several axes: the last of x1 and the first of x2, or those given."""
    x1 = as_array(x1)
    x2 = as_array(x2)
    x1, x2 = _same_type(x1, x2)
    if isinstance(axes, int):
        first = list(range(x1.ndim - axes, x1.ndim))
        second = list(range(axes))
    else:
        first = axes_of(tuple(axes[0]), x1.ndim, "tensordot")
        second = axes_of(tuple(axes[1]), x2.ndim, "tensordot")
    if [x1.shape[a] for a in first] != [x2.shape[a] for a in second]:
        raise ValueError(f"tensordot: the shapes {x1.shape} and {x2.shape} do not fit")
    rows = [a for a in range(x1.ndim) if a not in first]
    columns = [a for a in range(x2.ndim) if a not in second]
    shape = [x1.shape[a] for a in rows] + [x2.shape[a] for a in columns]
    inner = 1
    for a in first:
        inner *= x1.shape[a]
    left = permute_dims(x1, rows + first)
    right = permute_dims(x2, second + columns)
    height = 1
    for a in rows:
        height *= x1.shape[a]
    width = 1
    for a in columns:
        width *= x2.shape[a]
    product = _by_parts(_core.inner_product, _core.reshape(left, [height, inner]),
                        _core.reshape(right, [inner, width]))
    return _core.reshape(product, shape)


def _with_letters(given, operands):
    """Letters in the place of each "...": the same for the axes of all operands, counted from the
    last; those of extent 1 are broadcast."""
    inputs, arrow, output = given.partition("->")
    terms = inputs.split(",")
    free = [c for c in "ZYXWVUTSRQPONMLKJIHGFEDCBA" if c not in given]
    ranks = [x.ndim - len(t.replace("...", "")) for t, x in zip(terms, operands)
             if "..." in t] or [0]
    if len(terms) != len(operands) or min(ranks) < 0:
        raise ValueError(f'einsum: "{given}": the operands have other numbers of axes')
    letters = "".join(free[:max(ranks)])
    shape = [1] * len(letters)
    own = [letters[len(letters) - (x.ndim - len(t.replace("...", ""))):] if "..." in t else ""
           for t, x in zip(terms, operands)]
    terms = [t.replace("...", o) for t, o in zip(terms, own)]
    for term, x in zip(terms, operands):
        for letter, extent in zip(term, x.shape):
            if letter in letters:
                at = letters.index(letter)
                shape[at] = max(shape[at], extent)
    extents = dict(zip(letters, shape))
    operands = [_core.broadcast_to(x, [extents.get(c, n) if n == 1 else n
                                       for c, n in zip(term, x.shape)])
                for term, x in zip(terms, operands)]
    if arrow:
        output = output.replace("...", letters)
    else:
        rest = "".join(terms)
        output = letters + "".join(sorted(c for c in set(rest) if rest.count(c) == 1
                                          and c not in letters))
    return ",".join(terms) + "->" + output, operands


def einsum(subscripts, /, *operands):
    """Sums of products by the letters of their axes: einsum("ij,jk->ik", a, b) is the matrix
    product. Letters that the result lacks are summed over; without "->", those that occur once
    stay, in alphabetical order.

    >>> import tutti as tt
    >>> float(tt.einsum("ii->", tt.eye(3)))
    3.0
    """
    given = subscripts.replace(" ", "")
    if "..." in given:
        given, operands = _with_letters(given, [_core.as_array(x) for x in operands])
    if "->" not in given:
        letters = given.replace(",", "")
        given += "->" + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    operands = [_core.as_array(x) for x in operands]
    dtype = operands[0].dtype if operands else _core.float64
    for x in operands[1:]:
        dtype = _core.promote(dtype, x.dtype)
    rank = len(given.split("->")[1])
    operands = [_core.astype(x, dtype) for x in operands]
    if dtype.kind == "b":
        return _core.einsum(given, [_core.astype(x, _core.int32) for x in operands], rank) != 0
    if dtype.kind != "c":
        return _core.einsum(given, operands, rank)
    if len(operands) == 1:
        return _core.complex_of(*(_core.einsum(given, [part(operands[0])], rank)
                                  for part in (_core.real, _core.imag)))
    if len(operands) != 2:
        raise ValueError("einsum: of complex elements, one or two operands are taken")
    return _by_parts(lambda a, b: _core.einsum(given, [a, b], rank), *operands)
