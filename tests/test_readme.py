"""What the README shows is true: its Python runs, one block after the other, as a reader would type it."""

import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def test_the_readmes_python_runs(capsys):
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.M | re.S)
    assert len(blocks) >= 2
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out
    assert "'crew'" in printed
    assert "0.7" in printed
