"""A walk over the graph's fields, as drawing code for micrograd does."""

from graphviz import Digraph

from micrograd.nn import Neuron

neuron = Neuron(2)
out = neuron([1.0, -2.0])
out.backward()

nodes, edges = set(), set()


def build(v):
    if v not in nodes:
        nodes.add(v)
        for child in v._prev:
            edges.add((child, v))
            build(child)


build(out)
dot = Digraph(format="svg", graph_attr={"rankdir": "LR"})
for n in nodes:
    text = f"{{ data {n.data:.4f} | grad {n.grad:.4f} }}"
    dot.node(name=str(id(n)), label=text, shape="record")
    if n._op:
        dot.node(name=str(id(n)) + n._op, label=n._op)
        dot.edge(str(id(n)) + n._op, str(id(n)))
for n1, n2 in edges:
    dot.edge(str(id(n1)), str(id(n2)) + n2._op)
print(len(nodes), len(edges), dot.source.count("->"))
