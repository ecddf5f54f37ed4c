"""Run the cells of a page and say what each one shows.

This is loaded into the page's Python by worker.js. The reader's names
live in one namespace, as in a notebook.
"""

import ast
import builtins
import linecache
import re
import sys
import time
import traceback
import types

from pretty import pretty

SOURCE = "<runner>"
LIMIT = 100_000  # characters that a cell may print

# A browser's stack is small: at Python's own limit, 1000, a recursion
# through an operator ends Python itself instead of one cell.
sys.setrecursionlimit(350)

main = types.ModuleType("__main__")  # where pickle looks for the classes
sys.modules["__main__"] = main


class Stream:
    """A file that hands what is printed to the page, in batches."""

    def __init__(self, kind):
        self.kind, self.text, self.sent, self.last = kind, [], 0, 0.0

    def write(self, text):
        self.text.append(text)
        if time.monotonic() - self.last > 0.1:
            self.flush()
        return len(text)

    def flush(self):
        self.last = time.monotonic()
        text = "".join(self.text)
        self.text = []
        if not text or self.sent > LIMIT:
            return
        self.sent += len(text)
        if self.sent > LIMIT:
            text = text[:LIMIT] + "\n… the rest of the output is left out\n"
        send(self.kind, text)

    def isatty(self):
        return False


def display(*values):
    """Show values as Jupyter's display does."""
    sys.stdout.flush()
    for value in values:
        classes = type(value).__mro__
        if any(c.__module__ == "graphviz.graphs" for c in classes):
            send("dot", value.source, repr(value))
        else:
            send("result", pretty(value))


def no_input(prompt=""):
    raise RuntimeError("a page cannot answer input(): assign a value instead")


builtins.display = display
builtins.input = no_input


def run(number, source, sender):
    """Run a cell; return whether it came to its end."""
    global send
    send = sender
    name = f"cell {number}"
    lines = source.splitlines(keepends=True)
    linecache.cache[name] = (len(source), None, lines, name)
    sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")
    try:
        tree = ast.parse(source, name)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
        exec(compile(tree, name, "exec"), main.__dict__)
        if last:
            value = eval(compile(last, name, "eval"), main.__dict__)
            if value is not None and not source.rstrip().endswith(";"):
                main._ = value
                display(value)
    except BaseException as error:
        sys.stdout.flush()
        send("error", describe(error))
        return False
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return True


def describe(error):
    """Return the traceback, without the lines of this file."""
    shown = traceback.TracebackException.from_exception(error)
    part = shown
    while part is not None:
        frames = [f for f in part.stack if f.filename != SOURCE]
        first = next(
            (
                i
                for i, f in enumerate(frames)
                if f.filename.startswith("cell ")
            ),
            len(frames) if part is shown else 0,
        )
        part.stack = traceback.StackSummary.from_list(frames[first:])
        part = part.__cause__ or part.__context__
    text = "".join(shown.format())
    text = re.sub(r'File "(cell \d+)"', lambda m: m[1].capitalize(), text)
    return text.replace("/modules.zip/", "")
