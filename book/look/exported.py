"""Label each exported cell with the file it goes to."""


def setup(app):
    return {"parallel_read_safe": True}
