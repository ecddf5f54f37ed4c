"""A scalar autograd engine, built in the book Gradients by Hand."""

from micrograd.engine import Value

# Chapter 4, Seeing the graph

__version__ = "0.1.0"

__all__ = ["Value"]
