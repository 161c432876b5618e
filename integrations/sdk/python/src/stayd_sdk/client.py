from .generated.operations import Operations


class Stayd(Operations):
    """A client of a running stayd: one method for each operation of v3.

    It keeps no connection, so threads can share it.
    """
