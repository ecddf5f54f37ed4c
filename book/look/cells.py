"""Tell which cells of a notebook can run in the page.

The page's Python has the standard library, micrograd and graphviz. A
cell is live if it imports nothing else and needs no name that only a
cell which is not live defines. The tag not-live says so of any cell.
Of a cell that is not live, the imports that the page has do run.
"""

import ast
import symtable
import sys
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "micrograd"

# In the standard library, but not in the page's.
MISSING = {"curses", "dbm", "fcntl", "lzma", "resource", "sqlite3", "ssl",
           "termios", "tkinter", "turtle"}  # fmt: skip
HERE = (set(sys.stdlib_module_names) - MISSING) | {"graphviz", "micrograd"}


def not_live(sources, tags):
    """Return for each cell None if it is live, or else what it needs.

    sources: the code of all code cells, in order. tags: as many lists.
    What it needs is a module's name, or "" for the tag or a magic.
    """
    dead = {}
    verdicts = []
    for source, marks in zip(sources, tags, strict=True):
        try:
            tree = ast.parse(source)
        except SyntaxError:  # a magic, most likely
            tree = ast.Module([], [])
            verdict = ""
        else:
            verdict = "" if "not-live" in marks else _needs(tree, dead)
        if verdict is not None:
            dead |= dict.fromkeys(_bound(tree), verdict)
            for statement in _imports(tree):
                for name in _bound(statement):
                    need = _need(statement, {})
                    dead.pop(name) if need is None else dead.update(
                        {name: need}
                    )
            dead |= _dead_after(ast.Module(_imports(tree), []), {})
        else:
            after = _dead_after(tree, dead)
            for name in _bound(tree):
                dead.pop(name, None)
            dead |= after
        verdicts.append(verdict)
    return verdicts


def imports_here(source):
    """Return the lines of a cell's own imports that the page can run."""
    try:
        statements = _imports(ast.parse(source))
    except SyntaxError:
        return ""
    return "\n".join(
        ast.unparse(s) for s in statements if _need(s, {}) is None
    )


def _imports(tree):
    """Return a cell's imports, one statement for each module."""
    found = []
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            found += [ast.Import([alias]) for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            found.append(statement)
    return found


@cache
def _dead_in_module(module):
    """Return {name: need} of what a module of ours cannot do here."""
    path = PACKAGE.parent / f"{module.replace('.', '/')}.py"
    if not path.exists():
        path = path.with_suffix("") / "__init__.py"
    if not path.exists():
        return {}
    return _dead_after(ast.parse(path.read_text()), {})


def _needs(tree, dead):
    """Return what running the statements needs, or None."""
    dead = dict(dead)
    for statement in tree.body:
        need = _need(statement, dead)
        if need is not None:
            return need
        for name in _bound(statement):
            dead.pop(name, None)
        dead.update(_dead_after(ast.Module([statement], []), dead))
    return None


def _dead_after(tree, dead):
    """Return {name: need} of the functions that would fail if called."""
    dead = dict(dead)
    new = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                failing = _dead_in_module(node.module)
                if alias.name in failing:
                    new[alias.asname or alias.name] = failing[alias.name]
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            need = _need_when_called(node, dead | new)
            if need is not None:
                new[node.name] = need
    return new


def _need_when_called(node, dead):
    """Return what the body of a function or class needs, or None.

    An import that follows a return is one that a caller can avoid.
    """
    if isinstance(node, ast.ClassDef):
        methods = [n for n in node.body if isinstance(n, ast.FunctionDef)]
        needs = [_need_when_called(n, dead) for n in methods]
        return next((n for n in needs if n is not None), None)
    names = _globals(node)
    inside = {name: dead[name] for name in dead if name in names}
    for statement in node.body:
        need = _need(statement, inside)
        if need is not None:
            return need
        if any(isinstance(n, ast.Return) for n in ast.walk(statement)):
            break
    return next(iter(inside.values()), None)


@cache
def _globals(node):
    """Return the names that a function takes from outside itself."""
    tables = symtable.symtable(
        ast.unparse(node), "cell", "exec"
    ).get_children()
    names = set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        names |= {s.get_name() for s in table.get_symbols() if s.is_global()}
    return names


def _need(node, dead):
    """Return what executing a node needs at once, or None."""
    if isinstance(node, ast.Import):
        roots = [alias.name.split(".")[0] for alias in node.names]
        return next((r for r in roots if r not in HERE), None)
    if isinstance(node, ast.ImportFrom):
        root = (node.module or "").split(".")[0]
        return None if root in HERE else root
    if isinstance(node, ast.Name):
        return dead.get(node.id) if isinstance(node.ctx, ast.Load) else None
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return dead.get(node.target.id, _need(node.value, dead))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        at_once = [*node.decorator_list, node.args]
    elif isinstance(node, ast.For):
        need = _need(node.iter, dead)
        names = _bound(node.target)
        inside = {k: v for k, v in dead.items() if k not in names}
        body = ast.Module([*node.body, *node.orelse], [])
        return _needs(body, inside) if need is None else need
    elif isinstance(node, ast.Lambda):  # most are called where they stand
        at_once = [node.args, node.body]
        own = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
        dead = {k: v for k, v in dead.items() if k not in own}
    else:
        at_once = ast.iter_child_nodes(node)
        dead = {k: v for k, v in dead.items() if k not in _targets(node)}
    needs = (_need(child, dead) for child in at_once)
    return next((need for need in needs if need is not None), None)


def _targets(node):
    """Return the names that a comprehension binds for itself."""
    return {
        name.id
        for loop in getattr(node, "generators", [])
        for name in ast.walk(loop.target)
        if isinstance(name, ast.Name)
    }


def _bound(node):
    """Return the names that a statement, or a module, binds."""
    names = set()
    for child in [node] if not isinstance(node, ast.Module) else node.body:
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            names.add(child.name)
            continue
        own = {
            name
            for inner in ast.walk(child)
            if isinstance(inner, ast.comprehension)
            for name in ast.walk(inner.target)
        }
        for inner in ast.walk(child):
            if isinstance(inner, ast.Name) and isinstance(
                inner.ctx, ast.Store
            ):
                if inner not in own:
                    names.add(inner.id)
            elif isinstance(inner, (ast.Import, ast.ImportFrom)):
                for alias in inner.names:
                    names.add((alias.asname or alias.name).split(".")[0])
            elif isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
                names.add(inner.name)
    return names
