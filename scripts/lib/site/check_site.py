"""Checks the built site: every internal link and anchor resolves, and no page loads from a network.

    check_site.py folder
Links that a reader may follow can lead outside; what a page loads by itself must be in the folder.
Prints what is wrong, and fails then.
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse

# Attributes that make a browser load something, by tag.
LOADED = {"img": ("src", "srcset"), "script": ("src",), "iframe": ("src",),
          "source": ("src", "srcset"), "video": ("src", "poster"), "audio": ("src",),
          "embed": ("src",), "object": ("data",), "input": ("src",),
          "use": ("href", "xlink:href"), "image": ("href", "xlink:href")}
LOADING_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "modulepreload",
                 "manifest", "dns-prefetch"}


class Page(html.parser.HTMLParser):
    """The anchors of a page, where it links to, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.inline = set(), [], [], []
        self.in_style = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.in_style = tag == "style"
        self.ids.update(given[key] for key in ("id", "name") if given.get(key))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "link" and given.get("href"):
            loads = LOADING_LINKS & set((given.get("rel") or "").split())
            (self.loads if loads else self.links).append(given["href"])
        self.loads += [given[key] for key in LOADED.get(tag, ()) if given.get(key)]
        self.inline.append(given.get("style") or "")

    def handle_data(self, data):
        if self.in_style:
            self.inline.append(data)


def is_remote(address):
    return bool(re.match(r"(https?:)?//", address))


def style_problems(text):
    loads = re.findall(r"url\(\s*['\"]?([^'\")]+)", text)
    loads += re.findall(r"@import\s+['\"]([^'\"]+)", text)
    for address in loads:
        if is_remote(address):
            yield f"loads {address}"


def page_problems(path, page, pages, folder):
    for address in page.loads:
        if is_remote(address):
            yield f"loads {address}"
        elif not address.startswith("data:") and not target_of(path, address, folder).exists():
            yield f"loads {address}, which is not there"
    for text in page.inline:
        yield from style_problems(text)
    for address in page.links:
        if urllib.parse.urlparse(address).scheme or is_remote(address):
            continue
        target = target_of(path, address, folder)
        anchor = urllib.parse.unquote(urllib.parse.urlparse(address).fragment)
        if not target.exists() or target.is_dir():
            yield f"links to {address}, which is not there"
        elif anchor and target in pages and anchor not in pages[target].ids:
            yield f"links to {address}, which has no such anchor"


def target_of(path, address, folder):
    name = urllib.parse.unquote(urllib.parse.urlparse(address).path)
    if not name:
        return path
    return ((folder / name.lstrip("/")) if name.startswith("/") else (path.parent / name)).resolve()


def main(folder):
    paths = [p for p in sorted(folder.rglob("*.html")) if p.name != "404.html"]
    pages = {path: Page(path.read_text()) for path in paths}
    found = [(path, problem) for path, page in pages.items()
             for problem in page_problems(path, page, pages, folder)]
    found += [(path, problem) for path in sorted(folder.rglob("*.css"))
              for problem in style_problems(path.read_text())]
    for path, problem in found:
        print(f"{path.relative_to(folder)}: {problem}", file=sys.stderr)
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {links} links: {len(found)} problems")
    return 1 if found or not links else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
