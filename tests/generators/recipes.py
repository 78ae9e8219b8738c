"""How each generator is run, and what plays through what it makes."""

import sys
from dataclasses import dataclass
from pathlib import Path

from tests.support.contract import PATH

HERE = Path(__file__).parent
MADE = "made"  # the folder for what generators write
_PYTHON = str(Path(sys.executable).parent)
# The generator knows no pictures, tables and lines: to it they are bytes.
_AS_BYTES = ("image/svg+xml", "image/png", "text/csv", "text/event-stream", "application/x-ndjson")
PYTHON_CLIENT_OPTIONS = "post_hooks: []\ncontent_type_overrides:\n" + "".join(
    f"  {kind}: application/octet-stream\n" for kind in _AS_BYTES
)


@dataclass(frozen=True)
class Recipe:
    """A generator: what it is called, which programs make what from the contract, and who plays through that."""

    name: str
    made: str  # the folder or file that the generator writes
    player: Path
    commands: tuple[tuple[str, ...], ...]
    needs: tuple[str, ...] = ()  # programs beside Python and the package manager's

    @property
    def is_python(self) -> bool:
        return self.player.suffix == ".py"


def _node(tool: str, *arguments: str) -> tuple[str, ...]:
    return ("node", f"node_modules/.bin/{tool}", *arguments)


def _player(name: str) -> Path:
    return HERE / "players" / name


_SPEC = str(PATH)
RECIPES = (
    Recipe("hey-api", "made/hey_api", _player("hey_api.ts"), (_node("openapi-ts", "-i", _SPEC, "-o", "made/hey_api"),), ("node",)),
    Recipe(
        "orval (fetch, zod)",
        "made/orval",
        _player("orval.ts"),
        (
            _node("orval", "--input", _SPEC, "--output", "made/orval/client.ts", "--client", "fetch"),
            _node("orval", "--input", _SPEC, "--output", "made/orval/zod.ts", "--client", "zod"),
        ),
        ("node",),
    ),
    Recipe(
        "swagger-typescript-api",
        "made/swagger_typescript_api",
        _player("swagger_typescript_api.ts"),
        (
            _node(
                "swagger-typescript-api", "generate", "-p", _SPEC, "-o", "made/swagger_typescript_api", "-n", "api.ts",
                "--extract-request-params",
            ),
        ),
        ("node",),
    ),
    Recipe(
        "openapi-zod-client",
        "made/zodios.ts",
        _player("zodios.ts"),
        (_node("openapi-zod-client", _SPEC, "-o", "made/zodios.ts"),),
        ("node",),
    ),
    Recipe(
        "openapi-typescript",
        "made/openapi_typescript.d.ts",
        _player("openapi_fetch.ts"),
        (_node("openapi-typescript", _SPEC, "--output", "made/openapi_typescript.d.ts"),),
        ("node",),
    ),
    Recipe(
        "openapi-generator (typescript-fetch)",
        "made/openapi_generator",
        _player("openapi_generator.ts"),
        ((f"{_PYTHON}/openapi-generator-cli", "generate", "-i", _SPEC, "-g", "typescript-fetch", "-o", "made/openapi_generator"),),
        ("node", "java"),
    ),
    Recipe(
        "datamodel-codegen",
        "made/datamodel_models.py",
        _player("datamodel.py"),
        (
            (
                f"{_PYTHON}/datamodel-codegen", "--input", _SPEC, "--input-file-type", "openapi",
                "--output", "made/datamodel_models.py", "--output-model-type", "pydantic_v2.BaseModel",
                "--target-python-version", "3.11", "--use-annotated", "--formatters", "builtin",
            ),
        ),
    ),
    Recipe(
        "openapi-python-client",
        "made/red_november_client",
        HERE.parent / "clients" / "play_in_python.py",
        (
            (
                f"{_PYTHON}/openapi-python-client", "generate", "--path", _SPEC, "--output-path", "made/red_november_client",
                "--meta", "none", "--config", "python_client.yml", "--fail-on-warning",
            ),
        ),
    ),
)  # fmt: skip
