"""NESL, the language of nested data parallelism, from a text and in notebooks."""

from . import _core


class NeslError(RuntimeError):
    """A NESL program has an error; the text has its line."""


def nesl(program, /, **values):
    """Runs a NESL program; gives the value of its last expression.

    >>> import tutti as tt
    >>> tt.nesl("{sum(row) : row in rows}", rows=[[1, 2], [], [3]])
    [3, 0, 3]
    """
    try:
        return _core.nesl(program, values)
    except _core.Error as error:
        raise NeslError(str(error)) from None


def load_ipython_extension(shell):
    """%load_ext tutti: %nesl and %%nesl run NESL with the variables of the notebook it names."""
    import re

    def run(line, cell=None):
        text = line if cell is None else cell
        named = set(re.findall(r"[A-Za-z_][A-Za-z_0-9]*", text))
        values = {name: value for name, value in shell.user_ns.items() if name in named
                  and (isinstance(value, (bool, int, float, str, list, tuple))
                       or hasattr(value, "tolist") and not isinstance(value, type))}
        return nesl(text, **values)

    shell.register_magic_function(run, magic_kind="line_cell", magic_name="nesl")
