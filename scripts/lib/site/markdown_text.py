"""What the tools of the site know of Markdown: code, headings, links and their anchors.

Anchors are those that GitHub gives to headings; mkdocs.yml asks for the same on the site.
"""

import re

FENCE = re.compile(r"^\s*(```+|~~~+)")
COMMENT = "comment"
LINK = re.compile(r"(!?\[[^\[\]]*\]\()([^)\s]+)(\))")
IMAGE_LINK = re.compile(r"(\[!\[[^\[\]]*\]\([^)\s]+\)\]\()([^)\s]+)(\))")


def escaped(text):
    """Text as Markdown: what stands in backticks stays, the rest means itself."""
    parts = text.split("`")
    return "`".join(part if i % 2 else re.sub(r"([*_\[\]\\<>|])", r"\\\1", part)
                    for i, part in enumerate(parts))


def without_comments(text):
    """The text without the comments that begin at the beginning of a line outside of code."""
    return "\n".join(line for line, code in lines_with_code(text) if code != COMMENT) + "\n"


def lines_with_code(text):
    """Each line, and whether it is in a block of code or in a comment: True, or COMMENT."""
    fence = ""
    comment = False
    for line in text.splitlines():
        if comment or (not fence and line.startswith("<!--")):
            comment = "-->" not in line
            yield line, COMMENT
            continue
        found = FENCE.match(line)
        if found and (not fence or found[1].startswith(fence)):
            fence = "" if fence else found[1]
            yield line, True
        else:
            yield line, bool(fence)


def map_links(text, change):
    """The text with change(target) for the target of every link and picture outside of code."""
    def in_prose(part):
        return LINK.sub(lambda m: m[1] + change(m[2]) + m[3],
                        IMAGE_LINK.sub(lambda m: m[1] + change(m[2]) + m[3], part))

    lines = []
    for line, code in lines_with_code(text):
        if not code:
            pieces = re.split(r"(`[^`]*`)", line)
            # A link whose text is code has its parts on both sides of the code.
            marked = "".join(f"\0{i}\0" if piece.startswith("`") else piece
                             for i, piece in enumerate(pieces))
            marked = in_prose(marked)
            line = re.sub("\0(\\d+)\0", lambda m: pieces[int(m[1])], marked)
        lines.append(line)
    return "\n".join(lines) + "\n"


def links(text):
    """The targets of all links and pictures."""
    found = []
    map_links(text, lambda target: found.append(target) or target)
    return found


def slug(heading):
    """The anchor of a heading."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    plain = re.sub(r"(?<!\w)[*_]+|[*_]+(?!\w)", "", plain) if "`" not in heading else plain
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def anchors(text):
    """The anchors of all headings; those that come again are numbered."""
    seen, result = {}, set()
    for line, code in lines_with_code(text):
        if not code and (match := re.match(r"#{1,6} +(.*?) *#*$", line)):
            name = slug(match[1])
            count = seen.get(name, 0)
            seen[name] = count + 1
            result.add(f"{name}-{count}" if count else name)
    return result | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
