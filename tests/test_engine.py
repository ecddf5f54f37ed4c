"""What a notebook cannot show of the engine: depth, bits, identity."""

import ast
import inspect
import subprocess
import sys
import textwrap

from sklearn.datasets import make_moons

import micrograd.engine
from micrograd import Value
from tests.conftest import ROOT
from tools.notebooks import Notebook, tags


def start(code):
    """Run the code in a new process."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        text=True,
    )


def fresh(code):
    """Run the code in a new process; return what it prints."""
    return start(code).communicate()[0]


def test_a_chain_a_million_deep():
    assert fresh(
        """
        import gc, weakref
        from micrograd import Value

        gc.collect()  # what the start of Python left, on 3.13
        gc.disable()
        x = y = Value(1)
        for _ in range(10**6):
            y = y + 1
        y.backward()
        print(y.data, x.grad)
        middle = weakref.ref(y._prev[0])
        del y
        print(middle(), gc.collect())
        """
    ).split() == ["1000001.0", "1.0", "None", "0"]


def test_a_sum_of_a_hundred_thousand_products():
    inputs = [Value(i % 7) for i in range(10**5)]
    weights = [Value(i % 5) for i in range(10**5)]
    total = sum(w * x for w, x in zip(weights, inputs))
    total.backward()
    assert total.data == sum((i % 5) * (i % 7) for i in range(10**5))
    assert [w.grad for w in weights] == [x.data for x in inputs]
    assert [x.grad for x in inputs] == [w.data for w in weights]


def test_a_thousand_steps_of_training_keep_only_the_parameters():
    live, parameters, growth = fresh(
        """
        import gc, random, sys
        from micrograd import Value
        from micrograd.nn import MLP
        from micrograd.train import train

        live, blocks = set(), []

        def look(step, loss, accuracy):
            if step % 100 == 0:
                found = [isinstance(x, Value) for x in gc.get_objects()]
                live.add(sum(found))
            if step in (99, 999):
                blocks.append(sys.getallocatedblocks())

        rng = random.Random(1)
        model = MLP(2, [4, 1], rng=rng)
        rows = [[rng.random(), rng.random()] for _ in range(8)]
        train(model, rows, [1, -1] * 4, steps=1000, each_step=look)
        print(*live, len(model.parameters()), (blocks[1] - blocks[0]) / 900)
        """
    ).split()
    assert live == parameters == "17"
    # what a step leaves behind is its place in the history: a pair of floats
    assert 2.9 < float(growth) < 3.1


def test_five_processes_give_the_same_bits():
    X, y = make_moons(n_samples=100, noise=0.1, random_state=1337)
    train = f"""
        import random
        from micrograd.nn import MLP, parameters_to_vector
        from micrograd.train import train

        random.seed(1337)
        X, y = {X.tolist()}, {(2 * y - 1).tolist()}
        model = MLP(2, [16, 16, 1])
        train(model, X, y, steps=20)
        print([x.hex() for x in parameters_to_vector(model.parameters())])
        """
    runs = [start(train) for _ in range(5)]
    printed = {run.communicate()[0] for run in runs}
    assert len(printed) == 1 and "0x" in min(printed)


def test_engine_and_nn_need_nothing_else():
    assert (
        fresh(
            """
            import sys
            import micrograd.nn
            site = [m for m in sys.modules.values()
                    if "site-packages" in (getattr(m, "__file__", "") or "")]
            print([m.__name__ for m in site
                   if not m.__name__.startswith(("_", "sitecustomize"))])
            """
        )
        == "[]\n"
    )


def syntax(functions):
    """{name: abstract syntax without decorators and comments}"""
    found = {}
    for function in functions:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        tree.body[0].decorator_list = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = inspect.cleandoc(node.value)
        found[function.__name__] = ast.dump(tree)
    return found


def test_the_class_grown_in_the_chapters_is_the_one_in_the_package():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    chapter = Notebook(ROOT / "book" / "03_primitives.ipynb")
    for cell in chapter.cells:
        if any(t.startswith(("code-so", "export-")) for t in tags(cell)):
            shell.run_cell(cell.source).raise_error()
    grown = vars(shell.user_ns["Value"])
    packaged = vars(micrograd.engine.Value)
    methods = [f for f in grown.values() if inspect.isfunction(f)]
    assert syntax(methods) == syntax(
        f for f in packaged.values() if inspect.isfunction(f)
    )
    plain = [n for n, v in packaged.items() if not callable(v)]
    assert {n for n, v in grown.items() if not callable(v)} == set(plain)
