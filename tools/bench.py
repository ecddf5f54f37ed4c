"""Measure one training step of several engines, and store the table.

The step is that of the reference's demo: two moons, 100 points,
MLP(2, [16, 16, 1]), all rows at once, hinge loss and L2 penalty. Each
engine runs in a process of its own; the processes alternate, round by
round. Times are CPU time; the table holds medians over all steps. The
reference is taken from its published package, into a temporary folder.
"""

import argparse
import csv
import gc
import io
import json
import os
import platform
import random
import resource
import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

REFERENCE = "micrograd==0.1.0"
PHASES = ("forward", "backward", "update", "step", "collector", "sorting")
COLUMNS = ("engine", *PHASES, "nodes", "peak")
LOSSES = (0.8958441028683222, 1.7235905336972)  # of the first two steps
TABLE = Path("book/data/bench.csv")


class Stopwatch:
    """CPU milliseconds of each phase of each step, and of the collector."""

    def __init__(self):
        self.steps, self.current, self.losses = [], {}, []
        self.last = self.started = 0.0
        gc.callbacks.append(self._collector)

    def start(self):
        """Begin a step."""
        self.current = dict.fromkeys(PHASES, 0.0)
        self.last = process_time()

    def lap(self, phase):
        """Add the time since the last lap to a phase."""
        now = process_time()
        self.current[phase] += 1e3 * (now - self.last)
        self.last = now

    def stop(self, loss):
        """End a step, the loss of which is given."""
        phases = ("forward", "backward", "update")
        self.current["step"] = sum(self.current[p] for p in phases)
        self.steps.append(self.current)
        self.losses.append(float(loss))

    def around(self, phase, function):
        """Return the function, its time added to a phase by itself."""

        def timed(*args):
            start = process_time()
            try:
                return function(*args)
            finally:
                self.current[phase] += 1e3 * (process_time() - start)

        return timed

    def time_sorting(self, module):
        """Add the time of the module's topological_order to "sorting"."""
        order = self.around("sorting", module.topological_order)
        module.topological_order = order

    def _collector(self, moment, _):
        if moment == "start":
            self.started = process_time()
        elif self.current:
            self.current["collector"] += 1e3 * (process_time() - self.started)


def rate(step):
    return 1.0 - 0.9 * step / 100


def plain_loop(watch, wrap, model, rows, labels, steps):
    """The reference's own loop, for any engine with its public names."""
    for step in range(steps):
        watch.start()
        inputs = [[wrap(x) for x in row] for row in rows]
        scores = [model(row) for row in inputs]
        losses = [(1 + -y * s).relu() for y, s in zip(labels, scores)]
        loss = sum(losses) * (1.0 / len(losses))
        loss = loss + 1e-4 * sum(p * p for p in model.parameters())
        watch.lap("forward")
        model.zero_grad()
        loss.backward()
        watch.lap("backward")
        for p in model.parameters():
            p.data -= rate(step) * p.grad
        watch.lap("update")
        watch.stop(loss.data)


def run_plain(watch, rows, labels, steps):
    """An engine called micrograd, ours or the reference."""
    from micrograd import engine, nn

    if hasattr(engine, "topological_order"):
        watch.time_sorting(engine)
    random.seed(1337)
    model = nn.MLP(2, [16, 16, 1])
    plain_loop(watch, engine.Value, model, rows, labels, steps)


def run_tuples(watch, rows, labels, steps):
    """Our nn on top of the tuple engine."""
    from micrograd import nn
    from tools import tuples

    nn.Value = tuples.Node
    watch.time_sorting(tuples)
    random.seed(1337)
    model = nn.MLP(2, [16, 16, 1])
    plain_loop(watch, tuples.Node, model, rows, labels, steps)


def run_tuples_paused(watch, rows, labels, steps):
    """The same without the collector, as our shipped loop runs."""
    gc.disable()
    run_tuples(watch, rows, labels, steps)


def run_shipped(watch, rows, labels, steps):
    """micrograd.train.train itself; a step ends where sgd_step does."""
    from micrograd import engine, nn, train

    watch.time_sorting(engine)
    forward, update = train.loss_and_accuracy, train.sgd_step
    seen = []

    def timed_forward(*args):
        watch.start()
        result = forward(*args)
        watch.lap("forward")
        return result

    def after_backward(step, loss, accuracy):
        watch.lap("backward")
        seen.append(loss)

    def timed_update(*args):
        update(*args)
        watch.lap("update")
        watch.stop(seen[-1])

    train.loss_and_accuracy, train.sgd_step = timed_forward, timed_update
    random.seed(1337)
    model = nn.MLP(2, [16, 16, 1])
    train.train(model, rows, labels, steps, each_step=after_backward)


def run_torch_scalars(watch, rows, labels, steps):
    """Our nn with a torch scalar in place of each parameter."""
    import torch

    from micrograd import nn

    torch.set_num_threads(1)

    def leaf(x):
        return torch.tensor(float(x), dtype=torch.float64)

    class Model(nn.MLP):
        def zero_grad(self):
            for p in self.parameters():
                p.grad = None

    nn.Value = lambda x: leaf(x).requires_grad_()
    random.seed(1337)
    model = Model(2, [16, 16, 1])
    plain_loop(watch, leaf, model, rows, labels, steps)


def run_torch_batched(watch, rows, labels, steps):
    """The same network as matrices."""
    import torch

    from micrograd import nn

    torch.set_num_threads(1)
    random.seed(1337)
    layers, parameters = nn.MLP(2, [16, 16, 1]).layers, []
    for layer in layers:
        w = [[p.data for p in neuron.w] for neuron in layer.neurons]
        b = [neuron.b.data for neuron in layer.neurons]
        for numbers in (w, b):
            tensor = torch.tensor(numbers, dtype=torch.float64)
            parameters.append(tensor.requires_grad_())
    x = torch.tensor(rows, dtype=torch.float64)
    y = torch.tensor(labels, dtype=torch.float64)
    w0, b0, w1, b1, w2, b2 = parameters
    for step in range(steps):
        watch.start()
        h = (x @ w0.T + b0).relu()
        h = (h @ w1.T + b1).relu()
        score = (h @ w2.T + b2)[:, 0]
        loss = (1 - y * score).relu().mean()
        loss = loss + 1e-4 * sum((p * p).sum() for p in parameters)
        watch.lap("forward")
        for p in parameters:
            p.grad = None
        loss.backward()
        watch.lap("backward")
        with torch.no_grad():
            for p in parameters:
                p -= rate(step) * p.grad
        watch.lap("update")
        watch.stop(loss.detach())


ENGINES = {
    "micrograd 0.1.0": run_plain,
    "ours, plain loop": run_plain,
    "tuples, plain loop": run_tuples,
    "tuples, paused": run_tuples_paused,
    "ours": run_shipped,
    "PyTorch, scalars": run_torch_scalars,
    "PyTorch, batched": run_torch_batched,
}


def peak():
    """The most memory this process has had so far, in MiB."""
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / (2**20 if sys.platform == "darwin" else 2**10)


def child(engine):
    """Run one engine on the data from stdin; print steps as JSON."""
    task = json.load(sys.stdin)
    ours = hasattr(import_module("micrograd.engine"), "topological_order")
    if ours == (engine == "micrograd 0.1.0"):
        raise SystemExit(f"{engine}: the wrong micrograd is imported")
    if engine.startswith("PyTorch"):
        import torch  # before the memory is looked at

        (torch.ones(1, requires_grad=True) * 2).relu().backward()
    before, watch = peak(), Stopwatch()
    steps = task["steps"] + 1  # the first warms up
    ENGINES[engine](watch, task["rows"], task["labels"], steps)
    for got, wanted in zip(watch.losses, LOSSES):
        if abs(got - wanted) > 1e-9:
            raise SystemExit(f"{engine}: loss {got}, expected {wanted}")
    print(json.dumps({"steps": watch.steps[1:], "peak": peak() - before}))


MOONS = """
import json, numpy, sklearn.datasets
numpy.random.seed(1337)
x, y = sklearn.datasets.make_moons(n_samples=100, noise=0.1)
print(json.dumps({"rows": x.tolist(), "labels": (2.0 * y - 1).tolist()}))
"""
NODES = """
import json, random, sys
from micrograd.engine import topological_order
from micrograd.nn import MLP
from micrograd.train import loss_and_accuracy
task = json.load(sys.stdin)
loss, _ = loss_and_accuracy(MLP(2, [16, 16, 1]), task["rows"], task["labels"])
print(len(topological_order(loss)))
"""


def python(*args, path=".", task=None):
    """Return what a fresh Python prints, as JSON."""
    environment = os.environ | {"PYTHONPATH": str(Path(path).resolve())}
    done = subprocess.run(
        [sys.executable, *args],
        env=environment,
        input=json.dumps(task),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def fetch(folder):
    """Install the published reference into the folder; say if it works."""
    command = ["install", "--quiet", "--no-deps", "--target", folder]
    done = subprocess.run([sys.executable, "-m", "pip", *command, REFERENCE])
    return done.returncode == 0


def measure(rounds, steps, folder, engines):
    """Return {engine: [what each of its processes reports]}."""
    task = python("-c", MOONS) | {"steps": steps}
    nodes = python("-c", NODES, task=task)
    found = {engine: [] for engine in engines}
    for number in range(rounds):
        for engine in engines:
            path = folder if engine == "micrograd 0.1.0" else "."
            command = [__file__, "--child", engine]
            found[engine].append(python(*command, path=path, task=task))
            print(f"round {number + 1} of {rounds}: {engine}", flush=True)
    return found, nodes


def table(found, nodes):
    """Return the rows of the table, medians over all steps."""
    rows = []
    for engine, reports in found.items():
        steps = [step for report in reports for step in report["steps"]]
        row = {p: f"{median(s[p] for s in steps):.4g}" for p in PHASES}
        row["engine"] = engine
        row["nodes"] = 0 if engine == "PyTorch, batched" else nodes
        row["peak"] = f"{median(r['peak'] for r in reports):.0f}"
        rows.append(row)
    return rows


def stored(rows, rounds, steps):
    """Return the table as CSV, under the versions that produced it."""
    versions = [f"Python {platform.python_version()}", REFERENCE]
    for name in ("numpy", "torch"):
        versions.append(f"{name} {metadata.version(name)}")
    text = io.StringIO()
    text.write("# CPU milliseconds a step; peak memory in MiB, ru_maxrss\n")
    text.write("# above what the imports took; medians over\n")
    text.write(f"# {rounds} rounds of {steps} steps, alternating\n")
    text.write(f"# {', '.join(versions).replace('==', ' ')}\n")
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def show(rows):
    """Print the table for people, with ratios of medians."""
    first = float(rows[0]["step"])
    print(f"\nms of CPU time a step; 'times' is against {rows[0]['engine']}")
    head = [*PHASES, "times", "nodes/s", "MiB"]
    print(f"{'':20}", *(f"{name:>9}" for name in head))
    for row in rows:
        step = float(row["step"])
        speed = f"{1e3 * row['nodes'] / step:,.0f}" if row["nodes"] else "-"
        times = f"{first / step:.2f}"
        cells = [*(row[p] for p in PHASES), times, speed, row["peak"]]
        print(f"{row['engine']:20}", *(f"{cell:>9}" for cell in cells))


def main(rounds, steps):
    with TemporaryDirectory() as folder:
        engines = list(ENGINES)
        if not fetch(folder):
            engines.remove("micrograd 0.1.0")
            print(f"{REFERENCE} cannot be had: measured without it")
        found, nodes = measure(rounds, steps, folder, engines)
    rows = table(found, nodes)
    show(rows)
    if len(rows) < len(ENGINES):
        raise SystemExit(f"{TABLE} is left as it was: an engine is missing")
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(stored(rows, rounds, steps))
    print(f"written: {TABLE}; now: make refresh ONLY=08")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=3, help="a process")
    parser.add_argument("--child", choices=ENGINES, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(arguments.child)
    else:
        main(arguments.rounds, arguments.steps)
