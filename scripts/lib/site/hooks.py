"""Hooks of mkdocs: pages that are made when the site is built, and links between all pages.

Pages are written for GitHub, where every file of the tree has an address. On the site
- README.md, CONTRIBUTING.md and CHANGELOG.md are pages, and so are the generated references;
- a link to a header goes to its page of the reference, a link to another file of the tree to a page
  with its text;
- blocks of code in several languages that follow one another become tabs.
In nav of mkdocs.yml, "folder/*" stands for all pages of a folder that are not named elsewhere.
"""

import fnmatch
import pathlib
import posixpath
import re
import sys
import urllib.parse

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import cpp_reference  # noqa: E402
import markdown_text  # noqa: E402
import python_reference  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]

# Files outside of docs/ that are pages.
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "project/contributing.md",
         "CHANGELOG.md": "project/changelog.md"}
LANGUAGES = {"nesl": "NESL", "cpp": "C++", "python": "Python"}
LEXERS = {".hpp": "cpp", ".cpp": "cpp", ".def": "cpp", ".py": "python", ".md": "markdown"}


def generated():
    """All pages that are made, by their address in docs/."""
    pages = {page: (ROOT / file).read_text() for file, page in PAGES.items()}
    for name, text in cpp_reference.pages(ROOT / "include").items():
        pages[f"reference/cpp/{name}.md"] = text
    for name, text in python_reference.pages(ROOT / "python/tutti").items():
        pages[f"reference/python/{name}.md"] = text
    return pages


MADE = generated()


def origin_of(page):
    """The file of the tree that a page is written in, and that its links start from."""
    for file, made in PAGES.items():
        if made == page:
            return file
    return "docs/" + page


def page_of(file):
    """The page that shows a file or folder of the tree."""
    if file in PAGES:
        return PAGES[file]
    if match := re.fullmatch(r"include/tutti/(\w+)\.hpp", file):
        return f"reference/cpp/{match[1]}.md"
    inside = file.removeprefix("docs/")
    if inside in MADE or (inside != file and (ROOT / file).is_file()):
        return inside
    if (ROOT / file / "README.md").is_file():
        return page_of(f"{file}/README.md")
    return f"source/{file}.md"


def changed_link(page, target):
    """The target of a link of a page, as the site has it."""
    if urllib.parse.urlparse(target).scheme or target.startswith("#"):
        return target
    path, mark, anchor = target.partition("#")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(origin_of(page)), path))
    shown = page_of(file)
    return posixpath.relpath(shown, posixpath.dirname(page) or ".") + mark + anchor


def source_pages(pages):
    """Pages with the text of the files that the given pages link to."""
    result = {}
    for page, text in pages.items():
        for target in markdown_text.links(text):
            address = posixpath.normpath(posixpath.join(
                posixpath.dirname(page), changed_link(page, target).partition("#")[0]))
            if not address.startswith("source/") or address in result:
                continue
            file = address.removeprefix("source/").removesuffix(".md")
            if not (ROOT / file).exists():
                raise PluginError(f"{origin_of(page)}: {target}: there is no such file")
            result[address] = source_page(file)
    return result


def source_page(file):
    """A file as it is, or the names of what is in a folder."""
    path = ROOT / file
    if path.is_dir():
        names = sorted(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file())
        return f"# {file}\n\n```text\n" + "\n".join(names) + "\n```\n"
    lexer = LEXERS.get(path.suffix, "text")
    return f"# {file}\n\n````{lexer}\n{path.read_text()}````\n"


def with_plain_lists(text):
    """Lists as Python-Markdown wants them: behind a blank line, the inner ones 4 spaces deep."""
    lines, before = [], ""
    for line, code in markdown_text.lines_with_code(text):
        item = re.match(r" *(?:[-*]|1\.) ", line) and not code
        if item and before.strip() and not re.match(r" |[-*|#]|\d+\. ", before):
            lines.append("")
        if not code:
            line = re.sub(r"^ {2,3}(?=\S)", "    ", line)
        lines.append(line)
        before = "" if code else line
    return "\n".join(lines) + "\n"


def with_tabs(text):
    """Blocks in different languages with nothing but blank lines between them, as tabs."""
    block = r"```(?:nesl|cpp|python)\n(?:(?!```).*\n)*```\n"

    def tabs(match):
        blocks = re.findall(r"```(\w+)\n((?:(?!```).*\n)*)```\n", match[0])
        names = [language for language, _ in blocks]
        if len(set(names)) < len(names):
            return match[0]
        lines = []
        for language, code in blocks:
            lines += [f'=== "{LANGUAGES[language]}"', "", f"    ```{language}"]
            lines += ["    " + line if line else "" for line in code.rstrip().splitlines()]
            lines += ["    ```", ""]
        return "\n".join(lines) + "\n"

    return re.sub(rf"(?:^{block}\n*){{2,}}", tabs, text, flags=re.M)


def with_prompts(text):
    """Sessions of Python are coloured as such."""
    return re.sub(r"^( *```)python\n(?= *>>> )", r"\1pycon\n", text, flags=re.M)


def on_config(config):
    """Fills in the patterns of the navigation."""
    folder = pathlib.Path(config.docs_dir)
    known = {str(path.relative_to(folder)) for path in folder.rglob("*.md")} | set(MADE)
    known -= {"README.md"}

    def named(item):
        if isinstance(item, dict):
            return [name for value in item.values() for name in named(value)]
        return [name for part in item for name in named(part)] if isinstance(item, list) else [item]

    left = known - set(named(config.nav))

    def order(page):
        return (posixpath.basename(page) not in ("index.md", "README.md"), page)

    def filled(item):
        if isinstance(item, dict):
            return [{key: filled(value)[0] if isinstance(value, str) and "*" not in value
                     else filled(value)} for key, value in item.items()]
        if isinstance(item, list):
            return [page for part in item for page in filled(part)]
        if "*" not in item:
            return [item]
        depth = item.count("/")
        return sorted((page for page in left
                       if page.count("/") == depth and fnmatch.fnmatch(page, item)), key=order)

    config.nav = filled(config.nav)
    return config


def on_files(files, config):
    pages = {file.src_uri: file.content_string for file in files.documentation_pages()}
    made = {**MADE, **source_pages({**pages, **MADE})}
    for address, text in made.items():
        files.append(File.generated(config, address, content=text))
    style = pathlib.Path(__file__).with_name("site.css")
    files.append(File.generated(config, style.name, content=style.read_text()))
    return files


def on_page_markdown(markdown, page, **_):
    address = page.file.src_uri
    if address.startswith("source/"):
        return markdown
    if address in MADE and address not in PAGES.values():
        return with_prompts(markdown)
    # A comment is for tests; without it a block of code may follow another.
    text = markdown_text.without_comments(markdown)
    text = markdown_text.map_links(text, lambda target: changed_link(address, target))
    return with_prompts(with_tabs(with_plain_lists(text)))
