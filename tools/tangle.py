"""Tangle: cells tagged export-<module> become micrograd/<module>.py.

Only spans come from `ast`; the text that is written is the cells' own,
comments included. Methods that a chapter adds with @extend(Class) move
into the class body, under a comment that names the chapter.
"""

import ast
import inspect
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from IPython.core.inputtransformer2 import TransformerManager

from tools.notebooks import Notebook, tags

WIDTH = 75  # of a cell: methods gain four columns on their way


class TangleError(SystemExit):
    """A cell that cannot be exported: names notebook, cell and line."""

    def __init__(self, notebook, cell, line, message):
        self.message = message
        super().__init__(
            f"{notebook.name}, cell {cell + 1}, line {line}: {message}"
        )


@dataclass(frozen=True, eq=False)
class Piece:
    """One top-level statement of an export cell, and where it stands."""

    module: str
    notebook: Notebook
    cell: int
    line: int
    text: str
    node: ast.stmt

    @property
    def extends(self):
        """The class that @extend(Class) names, or None."""
        for decorator in getattr(self.node, "decorator_list", []):
            if _is_extend(decorator):
                return ast.unparse(decorator.args[0])
        target = self._target
        if isinstance(target, ast.Attribute):
            return ast.unparse(target.value)
        return None

    @property
    def name(self):
        """The name it defines, or None."""
        if isinstance(self.node, (ast.FunctionDef, ast.ClassDef)):
            return self.node.name
        target = self._target
        if isinstance(target, ast.Attribute):
            return target.attr
        return target.id if isinstance(target, ast.Name) else None

    @property
    def _target(self):
        targets = getattr(self.node, "targets", [None])
        return targets[0] if len(targets) == 1 else None

    @property
    def is_import(self):
        return isinstance(self.node, (ast.Import, ast.ImportFrom))

    @property
    def chapter(self):
        return f"Chapter {self.notebook.number}, {self.notebook.title}"

    @property
    def section(self):
        """The text of the heading that the cell stands under."""
        above = [h for c, _, h in self.notebook.headings if c <= self.cell]
        return above[-1]

    def error(self, message, node=None):
        line = self.line if node is None else self.line + node.lineno - 1
        return TangleError(self.notebook, self.cell, line, message)


def pieces(notebooks):
    """List the exported statements of the notebooks, in reading order."""
    found = []
    for notebook in notebooks:
        for index, cell in enumerate(notebook.cells):
            modules = [
                tag.removeprefix("export-")
                for tag in tags(cell)
                if tag.startswith("export-")
            ]
            for module in modules:
                found += _split(module, notebook, index, cell.source)
    return found


def tangle(notebooks):
    """Return {module name: source text} of all that is exported."""
    modules = {}
    for piece in pieces(notebooks):
        modules.setdefault(piece.module, []).append(piece)
    sources = {m: _assemble(members) for m, members in modules.items()}
    _check_live_class(notebooks, modules)
    return _formatted(sources)


def _split(module, notebook, index, source):
    """Cut a cell into pieces; comments go with what follows them."""
    lines = source.splitlines()
    for number, line in enumerate(lines, 1):
        if len(line) > WIDTH:
            message = f"{len(line)} columns; exported lines keep to {WIDTH}"
            raise TangleError(notebook, index, number, message)
    try:
        body = ast.parse(source).body
    except SyntaxError as error:
        message = f"not Python: {error.msg}"
        raise TangleError(notebook, index, error.lineno, message) from None
    result, start = [], 0
    for node in body:
        end = len(lines) if node is body[-1] else node.end_lineno
        text = "\n".join(lines[start:end])
        line = start + 1 + len(text) - len(text.lstrip("\n"))
        piece = Piece(module, notebook, index, line, text.strip("\n"), node)
        _check_kind(piece)
        result.append(piece)
        start = end
    return result


def _is_extend(decorator):
    return (
        isinstance(decorator, ast.Call)
        and ast.unparse(decorator.func) == "extend"
    )


def _is_text(node):
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _check_kind(piece):
    """Refuse what could not stand in a module or move into a class."""
    node = piece.node
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    if isinstance(node, ast.Assign) and piece.name:
        pass
    elif not isinstance(node, kinds) and not _is_text(node):
        raise piece.error(
            "only imports, functions, classes, 'name = …' and a docstring "
            "can be exported; move the rest to a cell without the tag"
        )
    if not piece.extends:
        return
    for inner in ast.walk(node):
        named = getattr(inner, "id", getattr(inner, "attr", ""))
        if named.startswith("__") and not named.endswith("__"):
            message = f"{named} would be mangled in a class; use one _"
            raise piece.error(message)
        if (
            isinstance(inner, ast.Call)
            and ast.unparse(inner.func) == "super"
            and not inner.args
        ):
            message = "super() has no class here; write super(Class, self)"
            raise piece.error(message)


def _assemble(members):
    """Return the module's source, made of its pieces."""
    docstring, imports, groups = [], [], {}
    for piece in members:
        if _is_text(piece.node):
            if docstring:
                raise piece.error("the module has a docstring already")
            docstring.append(piece.text)
        elif piece.is_import:
            imports.append(piece.text)
        else:
            _place(piece, groups)
    body, chapter = [], None
    for owner, *methods in groups.values():
        if owner.chapter != chapter:
            chapter = owner.chapter
            body.append(f"# {chapter}")
        body.append(owner.text + "".join(_methods(owner, methods)))
    return "\n\n".join(docstring + ["\n".join(imports)] + body) + "\n"


def _place(piece, groups):
    """Put the piece into groups: {name: [definition, its methods …]}."""
    owner = piece.extends or piece.name
    if piece.extends and owner not in groups:
        raise piece.error(f"no exported class {owner} to extend so far")
    names = {}
    for known in groups.get(owner, []):
        names |= _names(known)
    clash = names.keys() & _names(piece).keys()
    if clash:
        first = names[min(clash)]
        raise piece.error(
            f"{min(clash)} is defined already, in {first.notebook.name}, "
            f"cell {first.cell + 1}; export a name once"
        )
    group = groups.setdefault(owner, [])
    group.append(piece)
    methods = {name for known in group for name in _names(known)}
    is_class = isinstance(group[0].node, ast.ClassDef)
    if is_class and "__eq__" in methods and "__hash__" not in methods:
        message = "__eq__ without __hash__ makes objects unhashable"
        raise piece.error(message)


def _names(piece):
    """The names a piece defines in its group, each with the piece."""
    names = {piece.name: piece}
    if isinstance(piece.node, ast.ClassDef):
        names |= {
            n.name: piece
            for n in piece.node.body
            if isinstance(n, ast.FunctionDef)
        }
    return names


def _methods(owner, methods) -> Iterator[str]:
    """The extensions as text of the class body."""
    chapter = owner.chapter
    for piece in methods:
        if piece.chapter != chapter:
            chapter = piece.chapter
            yield f"\n\n    # {chapter}"
        yield "\n\n" + textwrap.indent(_as_member(piece), "    ")


def _as_member(piece):
    """The text without @extend(Class), or without 'Class.'"""
    if isinstance(piece.node, ast.Assign):
        text = piece.text.replace(f"{piece.extends}.", "", 1)
        if re.search(rf"\b{piece.extends}\b", ast.unparse(piece.node.value)):
            message = f"{piece.extends} is not known inside its own body"
            raise piece.error(message)
        return text
    lines = piece.text.splitlines()
    extend = [d for d in piece.node.decorator_list if _is_extend(d)]
    offset = next(i for i, x in enumerate(lines) if x.startswith("@"))
    first = piece.node.decorator_list[0].lineno
    for decorator in extend:
        del lines[decorator.lineno - first + offset]
    text = "\n".join(lines)
    before = ast.parse(text)
    after = ast.parse("if 1:\n" + textwrap.indent(text, "    ")).body[0]
    if _shape(before) != _shape(ast.Module(after.body, [])):
        raise piece.error("a text of several lines would change its indent")
    return text


def _shape(tree):
    """The abstract syntax with docstrings as inspect shows them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and _is_text(node.body[0]):
            constant = node.body[0].value
            constant.value = inspect.cleandoc(constant.value)
    return ast.dump(tree)


def _check_live_class(notebooks, modules):
    """Refuse to change an exported class in a cell that is not exported."""
    classes = {
        piece.name
        for members in modules.values()
        for piece in members
        if isinstance(piece.node, ast.ClassDef)
    }
    for notebook in notebooks:
        for index, cell in enumerate(notebook.cells):
            labels = tags(cell)
            if cell.cell_type != "code" or "code-so-far" in labels:
                continue
            if any(tag.startswith("export-") for tag in labels):
                continue
            for node in _statements(cell.source):
                piece = Piece("", notebook, index, node.lineno, "", node)
                if piece.extends in classes:
                    raise piece.error(
                        f"{piece.extends} is changed but not exported; put "
                        "a wrong version into a subclass or a function"
                    )


@cache
def _statements(source):
    """A cell's statements, its magics as the calls that they stand for."""
    return ast.parse(TransformerManager().transform_cell(source)).body


def _formatted(sources):
    """Sort imports and format, as ruff would in the package itself."""
    with TemporaryDirectory() as folder:
        for module, source in sources.items():
            Path(folder, f"{module}.py").write_text(source)
        for command in (
            ["check", "--fix-only", "--select", "I"]
            + ["--config", "lint.isort.known-first-party = ['micrograd']"],
            ["format"],
        ):
            subprocess.run(
                [sys.executable, "-m", "ruff", *command, folder]
                + ["--quiet", "--isolated", "--line-length", "79"],
                check=True,
            )
        return {m: Path(folder, f"{m}.py").read_text() for m in sources}
