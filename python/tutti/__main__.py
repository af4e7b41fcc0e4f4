"""python -m tutti: where the C++ package is, and the tutti command."""

import os
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def main(arguments):
    known = {"--cmake-dir": FOLDER / "lib" / "cmake" / "tutti", "--include-dir": FOLDER / "include",
             "--lib-dir": FOLDER / "lib"}
    if arguments and arguments[0] in known:
        path = known[arguments[0]]
        if not path.exists():
            print(f"tutti: {path} is not there: this module is not from a wheel", file=sys.stderr)
            return 1
        print(path)
        return 0
    command = FOLDER / "bin" / "tutti"
    if not command.exists():
        print("usage: python -m tutti --cmake-dir | --include-dir | --lib-dir", file=sys.stderr)
        return 2
    os.execv(command, [str(command), *arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
