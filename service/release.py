"""The version of this release. The API's contract, the stored games and the command line all tell this one."""

from importlib.metadata import version

RELEASE = version("red-november")
