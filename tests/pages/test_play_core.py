"""The playing client's modules without a browser: node runs their tests, TypeScript's compiler checks their types."""

from tests.support.node import CLIENTS, install, need_node, run


def test_the_core_of_the_client_does_what_its_tests_say() -> None:
    node = need_node("the core of the playing client")
    said = run([node, "--test", "play_core/"], CLIENTS)
    assert "# fail 0" in said


def test_the_types_of_the_client_fit() -> None:
    need_node("the types of the playing client")
    install()
    assert run(["npx", "tsc", "-p", "play.tsconfig.json"], CLIENTS) == ""
