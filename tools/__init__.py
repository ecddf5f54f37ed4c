"""What keeps the notebooks, the package and the exercises in step."""
