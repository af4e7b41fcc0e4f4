"""Checks prose: words that this project does not use, and sentences of more than 30 words.

usage: check_prose.py [FILE...]    without files: all that git knows

Prose is Markdown without code, tables and headings, and comments of C++, Python and shell scripts.
Sentences are checked in Markdown and in headers, where readers look first; words everywhere. Code
in backticks counts as one word. Parts between semicolons count as sentences.
"""

import pathlib
import re
import subprocess
import sys

MOST_WORDS = 30

# A word, and what to write instead.
WORDS = {
    r"(?:no|some|any|every)body|whoever": "the component, or the user",
    r"so many": "a number, or the condition",
    r"as good as": "what it counts as",
    r"c(?:om(?:e|es|ing)|ame) by": "recur, be seen",
    r"dear(?:er|est|ly)?": "expensive, cost",
    r"rolled up": "rerolled",
    r"(?:put|puts|brought|stored) into memory": "materialise, store",
    r"brought to a context": "lifted, broadcast",
    r"an operator of the user's": "a user-defined operator",
    r"st(?:ands?|ood) behind": "where it is",
}
FORBIDDEN = re.compile(r"(?<![\w'])(" + "|".join(WORDS) + r")(?![\w'])", re.IGNORECASE)

# Texts of others, and words as data.
LEFT_OUT = ("tests/nesl/corpus/", "scripts/lib/check_prose.py")
# Lists of notes.
SENTENCES_AS_THEY_ARE = ("CHANGELOG.md", "docs/roadmap.md")
COMMENT_OF = {".hpp": "//", ".cpp": "//", ".def": "//", ".cu": "//", ".cuh": "//", ".py": "#", ".sh": "#",
              ".txt": "#", ".cmake": "#"}


def markdown_paragraphs(text):
    """Each paragraph or list item outside of code, tables and comments: (line, text)."""
    paragraphs, current, fence, comment = [], None, False, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.lstrip().startswith("```"):
            fence = not fence
            current = None
        elif comment or fence or line.startswith("<!--"):
            comment = not fence and "-->" not in line
            current = None
        elif not line.strip() or line.startswith(("|", "#", "!", "    ")):
            current = None
        elif (item := re.match(r"\s*(?:[-*]|\d+\.) +(.*)", line)) or current is None:
            current = [number, item[1] if item else line]
            paragraphs.append(current)
        else:
            current[1] += " " + line.strip()
    return paragraphs


def comment_paragraphs(text, mark):
    """Each run of comment lines: (line, text). Lines indented further are lists or examples."""
    paragraphs, current = [], None
    begin = re.compile(r"(?:.*?[;{},)] +)?\s*" + mark + r"+ ?(.*)")
    for number, line in enumerate(text.splitlines(), 1):
        found = begin.fullmatch(line)
        whole = found and line.lstrip().startswith(mark)
        content = found[1] if found else ""
        if not content.strip() or content.startswith((" ", "\t", "- ", "* ", "!")):
            current = None
        elif current is not None and whole:
            current[1] += " " + content
        else:
            current = [number, content]
            paragraphs.append(current)
            if not whole:
                current = None
    return paragraphs


def sentences(paragraph):
    """The sentences of a paragraph, with code and links as words."""
    text = re.sub(r"`[^`]*`", "`code`", paragraph)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.split(r"(?<=[.?!;])[\"')*\]]*\s+", text)


def problems(path, name):
    """What is wrong with a file: (line, message)."""
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return
    markdown = name.endswith(".md")
    mark = COMMENT_OF.get(path.suffix) or ("#" if text.startswith("#!") else None)
    if markdown:
        paragraphs = markdown_paragraphs(text)
    elif mark:
        paragraphs = comment_paragraphs(text, mark)
    else:
        return
    for number, paragraph in paragraphs:
        for found in FORBIDDEN.finditer(re.sub(r"`[^`]*`|\"[^\"]*\"", "", paragraph)):
            instead = next(right for wrong, right in WORDS.items()
                           if re.fullmatch(wrong, found[1], re.IGNORECASE))
            yield number, f'"{found[1]}": write {instead}'
        if name in SENTENCES_AS_THEY_ARE or not markdown and path.suffix not in (".hpp", ".def"):
            continue
        for sentence in sentences(paragraph):
            count = sum(bool(re.search(r"[^\W\d]", word)) for word in sentence.split())
            if count > MOST_WORDS:
                yield number, f"a sentence of {count} words: {sentence[:60]}..."


def all_files(root):
    """The names of all files, also where the sources are no checkout of git."""
    known = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"],
        cwd=root, capture_output=True, text=True, check=False)
    if known.returncode == 0:
        return known.stdout.splitlines()
    folders = ("bench", "docs", "examples", "include", "python", "scripts", "src", "tests")
    return [str(path.relative_to(root)) for folder in folders
            for path in sorted((root / folder).rglob("*"))]


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    found = 0
    names = sys.argv[1:] or all_files(root)
    for name in names:
        if name.startswith(LEFT_OUT) or not (root / name).is_file():
            continue
        for line, message in problems(root / name, name):
            found += 1
            print(f"{name}:{line}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
