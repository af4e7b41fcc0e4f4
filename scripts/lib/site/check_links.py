"""Checks the links of README.md, CONTRIBUTING.md, CHANGELOG.md and docs/ as GitHub resolves them.

Files, folders and anchors must exist. Prints what does not, and fails then.
"""

import pathlib
import sys
import urllib.parse

import markdown_text

ROOT = pathlib.Path(__file__).resolve().parents[3]


def problems(page, known):
    """What is wrong with the links of a page; `known` caches the anchors of pages."""
    for target in markdown_text.links(page.read_text()):
        if urllib.parse.urlparse(target).scheme:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / urllib.parse.unquote(path)).resolve() if path else page
        if not file.is_relative_to(ROOT) or not file.exists():
            yield f"{target}: there is no such file"
        elif anchor and file.suffix == ".md":
            if file not in known:
                known[file] = markdown_text.anchors(file.read_text())
            if anchor not in known[file]:
                yield f"{target}: {file.relative_to(ROOT)} has no heading of that name"


def main():
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += sorted((ROOT / "docs").rglob("*.md")) + sorted((ROOT / "python").glob("*.md"))
    known, found, count = {}, 0, 0
    for page in pages:
        count += len(markdown_text.links(page.read_text()))
        for problem in problems(page, known):
            print(f"{page.relative_to(ROOT)}: {problem}", file=sys.stderr)
            found += 1
    print(f"{count} links of {len(pages)} pages: {found} broken")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
