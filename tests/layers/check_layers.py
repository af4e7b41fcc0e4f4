#!/usr/bin/env python3
"""Finds includes and calls that point upwards in the layers of src/.

usage: check_layers.py SOURCE_FOLDER LAYERS_FILE

LAYERS_FILE has one line for each layer, lowest first: its name, its folders below SOURCE_FOLDER
separated by commas, and its object files separated by semicolons (or nothing), with tabs between.
A layer may include headers of, and call functions of, itself and the layers before it. Prints each
violation; the exit status is 1 if there was any.
"""

import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"/]+)/', re.MULTILINE)


def read_layers(path):
    layers = []
    for line in pathlib.Path(path).read_text().splitlines():
        if line.strip():
            name, folders, objects = (line.split("\t") + ["", ""])[:3]
            layers.append((name, folders.split(","), [o for o in objects.split(";") if o]))
    return layers


def upward_includes(source, layers):
    level = {folder: i for i, (_, folders, _) in enumerate(layers) for folder in folders}
    for folder, own in level.items():
        for path in sorted((source / folder).rglob("*.[ch]pp")):
            for target in INCLUDE.findall(path.read_text(encoding="utf-8")):
                if level.get(target, own) > own:
                    yield f"{path.relative_to(source)} includes a header of {target}/"


def symbols(objects, which):
    """The names that object files define or need, with the file of each."""
    listing = subprocess.run(["nm", "-A", "-P", which, *objects], check=True, text=True,
                             capture_output=True).stdout
    for line in listing.splitlines():
        file, name, *_ = line.split(" ")
        yield name, file.rstrip(":")


def upward_calls(layers):
    """Names that a layer needs, and that only a layer above it defines."""
    defined = {}
    for i, (_, _, objects) in enumerate(layers):
        for name, _ in symbols(objects, "--defined-only") if objects else ():
            defined.setdefault(name, i)
    for i, (layer, _, objects) in enumerate(layers):
        for name, file in symbols(objects, "--undefined-only") if objects else ():
            if defined.get(name, i) > i:
                readable = subprocess.run(["c++filt", name], text=True, capture_output=True).stdout
                yield f"{layer}: {pathlib.Path(file).name} calls {readable.strip()} " \
                      f"of {layers[defined[name]][0]}"


def main():
    source, layers = pathlib.Path(sys.argv[1]), read_layers(sys.argv[2])
    checked = sum(len(objects) for _, _, objects in layers)
    if not checked:
        sys.exit("no object files to check")
    faults = [*upward_includes(source, layers), *upward_calls(layers)]
    print("\n".join(faults) or f"{len(layers)} layers, {checked} object files: no call points upwards")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
