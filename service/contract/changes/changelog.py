"""Write the contract's changelog from what differs between two contracts."""

from collections.abc import Sequence

from service.contract.changes.model import Change
from service.wire import Wire

_HEAD = "\n## "


def section(version: str, changes: Sequence[Change]) -> str:
    """Return what changed in a release, as Markdown."""
    parts = [f"## {version}"]
    for title, breaking in (("Breaking", True), ("Harmless", False)):
        lines = [f"- {change}." for change in changes if change.breaking is breaking]
        if lines:
            parts.append("\n".join([f"### {title}", "", *lines]))
    if not changes:
        parts.append("Nothing that clients see.")
    return "\n\n".join(parts) + "\n"


def with_section(changelog: str, told: str) -> str:
    """Return the changelog with a section before all others."""
    intro, head, older = changelog.partition(_HEAD)
    return f"{intro.rstrip()}\n\n{told}{head}{older}"


def is_next_release(old: Wire, new: Wire) -> bool:
    """Return whether the contracts belong to two releases. Drafts of one release have no section each."""
    return bool(old["info"]["version"] != new["info"]["version"])
