"""The generated lists: a chapter's outline, the page of the package."""

import ast
import re
from itertools import groupby

from tools.tangle import pieces


def outline(notebooks):
    """What the last of the notebooks exports, as a Markdown list."""
    *_, this = notebooks
    known = pieces(notebooks)
    lines = []
    for module in dict.fromkeys(p.module for p in known if p.notebook is this):
        members = [p for p in known if p.module == module and _public(p)]
        new = [p for p in members if p.notebook is this]
        old = [p for p in members if p.notebook is not this]
        lines.append(f"In `micrograd/{module}.py` this chapter put:\n")
        lines += [_item(piece) for piece in new]
        if old:
            names = ", ".join(f"`{_dotted(p)}`" for p in old)
            lines.append(f"\nIt had already: {names}.")
        lines.append("")
    return "\n".join(lines).strip()


def package(notebooks, sources):
    """The page that lists each module, public name and chapter.

    The sources are what the notebooks are tangled into, by module.
    """
    known = pieces(notebooks)
    parts = [PACKAGE_HEAD]
    for module, source in sources.items():
        members = [p for p in known if p.module == module]
        parts.append(f"(micrograd-{module})=\n")
        parts.append(f"## micrograd/{_plain(module)}.py\n")
        parts.append(ast.get_docstring(ast.parse(source)) + "\n")
        for piece in filter(_public, members):
            text = f"{_summary(piece)} {_link(piece)}".strip()
            parts.append(f"`{_signature(piece)}`\n: {text}\n")
        parts.append(_linked_source(module, source, members))
    return "\n".join(parts)


PACKAGE_HEAD = """\
# The package, name by name

Every line of the package was exported from a chapter. Here each public
name has a sentence and a link to the section that builds it. Below the
names, folded, is the file itself: each part stands under a link to the
section that explains it.
"""


def _linked_source(module, source, members):
    """The file in parts, each under a link to the section it is from."""
    origin = {(p.extends, p.name): p for p in members if not p.is_import}
    lines = source.splitlines()
    starts = []
    for node in ast.parse(source).body:
        starts += _starts(node, origin, lines)
    parts = [f"````{{dropdown}} The file micrograd/{_plain(module)}.py\n"]
    groups = [
        (link, min(line for line, _ in group))
        for link, group in groupby(starts, key=lambda s: s[1])
        for group in [list(group)]
    ]
    ends = [line - 1 for _, line in groups[1:]] + [len(lines)]
    for (link, line), end in zip(groups, ends):
        while not lines[end - 1]:
            end -= 1
        parts.append(
            f"{link}\n\n```{{literalinclude}} ../micrograd/{module}.py\n"
            f":lines: {line}-{end}\n:lineno-match:\n```\n"
        )
    return "\n".join(parts) + "````\n"


def _starts(node, origin, lines):
    """Yield (first line, link) of a statement and of what extends it."""
    piece = origin.get((None, _defined(node)))
    yield (_first(node, lines) if piece else 1, piece and _link(piece))
    for inner in getattr(node, "body", []):
        key = _defined(node), _defined(inner)
        if key in origin:
            yield (_first(inner, lines), _link(origin[key]))


def _first(node, lines):
    """The statement's first line: decorators and comments belong to it."""
    decorators = getattr(node, "decorator_list", [])
    first = number = min(n.lineno for n in [node, *decorators])
    while number > 1 and re.match(r"\s*(#|$)", lines[number - 2]):
        number -= 1
        if lines[number - 1]:
            first = number
    return first


def _defined(node):
    """The name that a statement defines, or None."""
    if isinstance(node, ast.Assign):
        return getattr(node.targets[0], "id", None)
    return getattr(node, "name", None)


def _public(piece):
    name = piece.name
    if name is None:
        return False
    return not name.startswith("_") or name.endswith("__")


def _dotted(piece):
    return f"{piece.extends}.{piece.name}" if piece.extends else piece.name


def _signature(piece):
    if not isinstance(piece.node, ast.FunctionDef):
        return _dotted(piece)
    arguments = ast.unparse(piece.node.args)
    if piece.extends:
        arguments = re.sub(r"^self(, )?", "", arguments)
    return f"{_dotted(piece)}({arguments})"


def _summary(piece):
    """The first sentence of the docstring, or the comment above."""
    node = piece.node
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        text = (ast.get_docstring(node) or "").split("\n")[0]
    else:
        comment = [x for x in piece.text.splitlines() if x.startswith("#")]
        text = " ".join(x.lstrip("# ") for x in comment)
    return _plain(text)


def _plain(text):
    """Escape what Markdown would take for markup."""
    return re.sub(r"([\\*_`$<\[\]])", r"\\\1", text)


def _item(piece):
    summary = _summary(piece)
    return f"- `{_signature(piece)}`" + (f" — {summary}" if summary else "")


def _link(piece):
    slug = re.sub(r"[^\w\- ]", "", piece.section.lower()).replace(" ", "-")
    chapter = f"Chapter {piece.notebook.number}"
    if piece.section.endswith(piece.notebook.title):
        return f"[{chapter}]({piece.notebook.path.name})"
    return f"[{chapter}, {piece.section}]({piece.notebook.path.name}#{slug})"
