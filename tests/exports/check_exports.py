"""What the shared library exports: functions that public headers declare, and functions of src/ that
are marked by TUTTI_EXPORT. Anything else, LLVM included, is an error.

check_exports.py LIBRARY ROOT
"""
import pathlib
import re
import subprocess
import sys


def words_of(folder):
    text = "\n".join(p.read_text() for p in folder.rglob("*") if p.suffix in (".hpp", ".def"))
    return set(re.findall(r"\w+", re.sub(r"//.*", "", text)))


def marked_in(folder):
    """Classes and functions that TUTTI_EXPORT marks."""
    names = set()
    for path in folder.rglob("*.hpp"):
        text = re.sub(r"//.*", "", path.read_text())
        names |= set(re.findall(r"(?:class|struct) TUTTI_EXPORT (\w+)", text))
        names |= set(re.findall(r"^\s*TUTTI_EXPORT [^;{]*?(\w+)\(", text, re.M))
    return names


def exported(library):
    """Qualified names of the exported functions, without parameters and template arguments."""
    lines = subprocess.run(["nm", "-D", "--defined-only", "-C", library], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    for line in lines:
        kind, name = line.split(maxsplit=2)[1:]
        name = re.sub(r"\[abi:\w+\]", "", name)
        if kind == "T" or name.startswith("llvm::"):
            yield re.sub(r"<.*>", "", name.split("(")[0])


def is_allowed(name, public, marked):
    parts = [re.sub(r"^~|(?<=^operator)\W.*", "", part) for part in name.split("::")]
    if parts[0] != "tutti":
        return False
    # A class that a public header names, if only as a forward declaration, is exported as a whole.
    classes = {part for part in parts if part[:1].isupper()}
    return bool(marked.intersection(parts) or classes & public or public.issuperset(parts))


def main():
    library, root = sys.argv[1], pathlib.Path(sys.argv[2])
    public, marked = words_of(root / "include"), marked_in(root / "src")
    names = sorted(set(exported(library)))
    wrong = [name for name in names if not is_allowed(name, public, marked)]
    if len(names) < 100:
        sys.exit(f"only {len(names)} functions are exported: the public headers declare more")
    for name in wrong:
        print(f"{name} is exported, but no public header declares it and it is not marked")
    if wrong:
        sys.exit(1)
    print(f"{len(names)} functions are exported")


main()
