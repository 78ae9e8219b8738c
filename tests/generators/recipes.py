"""How each generator is run, and what plays through what it makes."""

import sys
from dataclasses import dataclass
from pathlib import Path

from tests.support.contract import PATH

HERE = Path(__file__).parent
MADE = "made"  # the folder for what generators write
ONE_WORD_ENUMS = "one_word_enums.json"  # a copy of the contract, for a generator that reads no `const`

_PYTHON = Path(sys.executable).parent
_CONTRACT = str(PATH)
_CLIENTS = HERE.parent / "clients"


@dataclass(frozen=True)
class Recipe:
    """A generator: what it is called, which commands make what from the contract, and who plays through that."""

    name: str
    made: str
    player: Path
    commands: tuple[tuple[str, ...], ...]
    needs: tuple[str, ...] = ()  # programs that this machine may lack

    @property
    def is_python(self) -> bool:
        return self.player.suffix == ".py"


def _typescript(name: str, player: str, made: str, *commands: tuple[str, ...], java: bool = False) -> Recipe:
    needs = ("node", "java") if java else ("node",)
    return Recipe(name, f"{MADE}/{made}", HERE / "players" / player, commands, needs)


def _npm(tool: str, *arguments: str) -> tuple[str, ...]:
    return ("node", f"node_modules/.bin/{tool}", *arguments)


def _orval(target: str, kind: str) -> tuple[str, ...]:
    return _npm("orval", "--input", _CONTRACT, "--output", f"{MADE}/orval/{target}", "--client", kind)


def _pip(tool: str, *arguments: str) -> tuple[str, ...]:
    return (str(_PYTHON / tool), *arguments)


RECIPES = (
    _typescript("hey-api", "hey_api.ts", "hey_api", _npm("openapi-ts", "-i", _CONTRACT, "-o", f"{MADE}/hey_api")),
    _typescript("orval (fetch, zod)", "orval.ts", "orval", _orval("client.ts", "fetch"), _orval("zod.ts", "zod")),
    _typescript(
        "swagger-typescript-api", "swagger_typescript_api.ts", "swagger_typescript_api",
        _npm(
            "swagger-typescript-api", "generate", "--extract-request-params", "-p", _CONTRACT,
            "-o", f"{MADE}/swagger_typescript_api", "-n", "api.ts",
        ),
    ),
    _typescript(
        "openapi-zod-client", "zodios.ts", "zodios.ts",
        _npm("openapi-zod-client", ONE_WORD_ENUMS, "-o", f"{MADE}/zodios.ts"),
    ),
    _typescript(
        "openapi-typescript", "openapi_fetch.ts", "openapi_typescript.d.ts",
        _npm("openapi-typescript", _CONTRACT, "--output", f"{MADE}/openapi_typescript.d.ts"),
    ),
    _typescript(
        "openapi-generator (typescript-fetch)", "openapi_generator.ts", "openapi_generator",
        _pip(
            "openapi-generator-cli", "generate", "-i", _CONTRACT, "-g", "typescript-fetch",
            "-o", f"{MADE}/openapi_generator",
        ),
        java=True,
    ),
    Recipe(
        "datamodel-codegen", f"{MADE}/datamodel_models.py", HERE / "players" / "datamodel.py",
        (
            _pip(
                "datamodel-codegen", "--input", _CONTRACT, "--input-file-type", "openapi",
                "--output", f"{MADE}/datamodel_models.py", "--output-model-type", "pydantic_v2.BaseModel",
                "--target-python-version", "3.11", "--use-annotated", "--formatters", "builtin",
            ),
        ),
    ),
    Recipe(
        "openapi-python-client", f"{MADE}/red_november_client", _CLIENTS / "play_in_python.py",
        (
            _pip(
                "openapi-python-client", "generate", "--path", _CONTRACT, "--meta", "none", "--fail-on-warning",
                "--output-path", f"{MADE}/red_november_client", "--config", str(_CLIENTS / "python_client.yml"),
            ),
        ),
    ),
)  # fmt: skip
