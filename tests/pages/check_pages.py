#!/usr/bin/env python3
"""Checks the files that `tutti profile` and `tutti explain` write: the timeline and the pages.

usage: check_pages.py TUTTI_COMMAND PROGRAM [ARGUMENT...]

Runs the program under `tutti profile`, and a small one in NESL under `tutti explain`. The timeline is JSON in the Trace Event Format: a list of
events with a name, a phase, a process and a thread, with times that are not negative. The pages are
well-formed HTML: elements nest, ids are unique, references within a page lead somewhere, and nothing
is loaded from elsewhere.
"""

import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile

VOID = {"meta", "br", "hr", "img", "input", "link", "col", "rect", "line", "path"}
PHASES = {"X": ("ts", "dur"), "C": ("ts",), "M": (), "B": ("ts",), "E": ("ts",), "i": ("ts",)}


# Enough elements that kernels run.
NESL = """
function norms(v) = {sqrt(x * x + 1.0) : x in v};
a = norms({float(i) / 7.0 : i in [0:300000]});
sum({x * 2.0 : x in a});
"""


class Page(html.parser.HTMLParser):
    """Collects what is wrong with a page."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.references, self.problems = [], [], [], []
        self.script = None

    def problem(self, text):
        self.problems.append(f"line {self.getpos()[0]}: {text}")

    def handle_starttag(self, tag, attributes):
        self.note(attributes)
        if tag not in VOID:
            self.open.append(tag)
        self.script = "" if tag == "script" and not dict(attributes).get("type") else None

    def handle_startendtag(self, tag, attributes):
        self.note(attributes)

    def note(self, attributes):
        names = [name for name, _ in attributes]
        if len(set(names)) != len(names):
            self.problem(f"an attribute is given twice: {names}")
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src") and value.startswith("#"):
                self.references.append(value[1:])
            elif name in ("href", "src"):
                self.problem(f"loads {value}")

    def handle_data(self, data):
        if self.script is not None:
            self.script += data

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        # At the top level names such as `top` belong to the browser, and cannot be declared.
        if self.script is not None and not re.fullmatch(r"\{.*\}", self.script.strip(), re.DOTALL):
            self.problem("a script declares names outside of a block")
        self.script = None
        if not self.open or self.open[-1] != tag:
            self.problem(f"</{tag}> ends {self.open[-1:] or 'nothing'}")
        else:
            self.open.pop()

    def finish(self):
        self.close()
        if self.open:
            self.problem(f"never closed: {self.open}")
        twice = {name for name in self.ids if self.ids.count(name) > 1}
        if twice:
            self.problem(f"ids are given twice: {sorted(twice)}")
        for name in self.references:
            if name not in self.ids:
                self.problem(f"#{name} leads nowhere")


def problems_of_page(text):
    page = Page()
    page.feed(text)
    page.finish()
    if not text.lower().startswith("<!doctype html>"):
        page.problems.append("does not begin with a doctype")
    for found in re.findall(r"https?://[^\s\"'<]*", text):
        if "www.w3.org" not in found:  # the name of a namespace
            page.problems.append(f"names {found}")
    return page.problems


def problems_of_trace(text):
    events = json.loads(text)
    if isinstance(events, dict):
        events = events["traceEvents"]
    kinds = {}
    for number, event in enumerate(events):
        phase = event.get("ph")
        kinds[phase] = kinds.get(phase, 0) + 1
        if phase not in PHASES:
            yield f"event {number} has the phase {phase!r}"
            continue
        if not isinstance(event.get("name"), str) or not event["name"]:
            yield f"event {number} has no name"
        for member in ("pid", "tid"):
            if not isinstance(event.get(member), int):
                yield f"event {number} has no {member}"
        for member in PHASES[phase]:
            if not isinstance(event.get(member), (int, float)) or event[member] < 0:
                yield f"event {number}: {member} is {event.get(member)!r}"
        if "args" in event and not isinstance(event["args"], dict):
            yield f"event {number}: args is not an object"
    for phase in "XCM":
        if not kinds.get(phase):
            yield f"no event has the phase {phase}"


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def problems_of_explanation(command, folder):
    program, page = folder / "norms.nesl", folder / "explain.html"
    program.write_text(NESL, encoding="utf-8")
    run(command, "explain", "--html", page, program)
    text = page.read_text(encoding="utf-8")
    if "sqrt" not in text or 'id="k1"' not in text:
        yield "shows no kernel with the operation of the program"
    yield from problems_of_page(text)


def main():
    command, program = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        page, trace = folder / "page.html", folder / "run.json"
        run(command, "profile", "--html", page, "--trace", trace, *program)
        problems = [f"page: {p}" for p in problems_of_page(page.read_text(encoding="utf-8"))]
        problems += [f"trace: {p}" for p in problems_of_trace(trace.read_text(encoding="utf-8"))]
        problems += [f"explain: {p}" for p in problems_of_explanation(command, folder)]
    print("\n".join(problems) or "the pages and the trace are well-formed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
