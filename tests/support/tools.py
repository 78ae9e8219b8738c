"""Programs of the system that some tests need; without one they say what they leave out."""

import os
import shutil

import pytest


def need(tool: str, what: str, remedy: str) -> str:
    """Its path; skips the test where it is not installed."""
    path = shutil.which(tool, path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
    if path is None:
        pytest.skip(f"left out: {what}, for want of {tool}; {remedy}")
    return path
