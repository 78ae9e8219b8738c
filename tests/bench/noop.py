"""The job that does nothing: what RQ itself takes."""


def noop() -> None:
    """For workers to find by name."""
