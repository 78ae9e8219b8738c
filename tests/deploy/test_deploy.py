"""The files in deploy/, as far as they can be checked without a cluster: against their schemas, and against the service
that they start."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from prometheus_client.parser import text_string_to_metric_families

from service.operate.redis_server import PACKAGE
from service.queue.queueing import QUEUES
from tests.support.serving import DEPLOY, Client
from tests.support.tools import need

ROOT = DEPLOY.parent
KUBERNETES = DEPLOY / "kubernetes"
SYSTEMD = DEPLOY / "systemd"
OF_KUSTOMIZE = "kustomization.yaml"
TOOLS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """All that it says; a failure fails the test."""
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | {"PATH": TOOLS} | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def documents(path: Path) -> list[Any]:
    return list(yaml.safe_load_all(path.read_text()))


def everywhere(kind: str) -> list[Any]:
    """The manifests of a kind."""
    found = [each for path in KUBERNETES.glob("*.yaml") for each in documents(path) if each["kind"] == kind]
    assert found
    return found


def containers() -> list[Any]:
    return [
        container
        for each in everywhere("Deployment") + everywhere("StatefulSet")
        for container in each["spec"]["template"]["spec"]["containers"]
    ]


# The image


def test_the_dockerfile_is_in_order() -> None:
    run("hadolint", DEPLOY / "Dockerfile")


def test_all_that_the_image_is_made_of_is_sent_to_docker() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    wanted = {source for line in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.M) for source in line.split()}
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert wanted == sent
    assert all((ROOT / source).exists() for source in wanted)


def test_the_image_is_built_of_all_that_the_packages_link_to() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    copied = {source for line in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.M) for source in line.split()}
    links = [
        path
        for package in ("engine", "bots", "red_november_client", "service")
        for path in (ROOT / package).rglob("*")
        if path.is_symlink()
    ]
    assert links
    assert {str(link.resolve().relative_to(ROOT)) for link in links} <= copied


def locked(name: str) -> dict[str, list[tuple[Requirement, list[str]]]]:
    """What a lock file says of each package: versions, of which markers choose one, with their hashes."""
    found: dict[str, list[tuple[Requirement, list[str]]]] = {}
    lines = (DEPLOY / name).read_text().replace("\\\n", " ").splitlines()
    for line in lines:
        if not line.startswith("#"):
            said, *hashes = line.split(" --hash=")
            requirement = Requirement(said.strip())
            found.setdefault(canonicalize_name(requirement.name), []).append((requirement, hashes))
    return found


@pytest.mark.parametrize(
    ("lock", "group", "field"),
    [("requirements.lock", "project", "dependencies"), ("build.lock", "build-system", "requires")],
)
def test_the_image_installs_what_we_ask_for_and_every_byte_of_it_is_known(lock: str, group: str, field: str) -> None:
    """`deploy/lock` writes the files; without it somebody changed only one of the two."""
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())[group][field]
    there = locked(lock)
    for requirement in map(Requirement, asked):
        if requirement.name != PACKAGE:
            for version, _ in there[canonicalize_name(requirement.name)]:
                (pin,) = version.specifier
                assert pin.operator == "=="
                assert requirement.specifier.contains(pin.version, prereleases=True), requirement
    for entries in there.values():
        for requirement, hashes in entries:
            assert hashes, requirement
            assert all(each.strip().startswith("sha256:") for each in hashes)


def test_the_image_holds_nothing_that_installs() -> None:
    stages = (DEPLOY / "Dockerfile").read_text().split("\nFROM ")
    assert "--without-pip" in stages[1]
    assert re.search(r"pip uninstall --yes pip setuptools wheel", stages[2])
    installed = len(re.findall(r" install --", stages[1]))
    assert installed == stages[1].count("--require-hashes") + 1, "all but our own wheel is checked"
    assert {"pip", "setuptools", "wheel"}.isdisjoint(locked("requirements.lock"))


def test_both_stages_compile_for_the_same_cpu() -> None:
    """The machine code is found by the CPU's name and features among others."""
    text = (DEPLOY / "Dockerfile").read_text()
    for variable in ("ARG NUMBA_CPU_NAME=", "NUMBA_CPU_FEATURES=", "RED_NOVEMBER_CACHE="):
        values = re.findall(rf"{variable}(\S+)", text)
        assert len(values) == 2, variable
        assert len(set(values)) == 1, variable


def test_no_image_runs_as_root() -> None:
    assert re.findall(r"^USER (\S+)", (DEPLOY / "Dockerfile").read_text(), re.M) == ["10001:10001"]
    for each in everywhere("Deployment") + everywhere("StatefulSet"):
        pod = each["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not pod["automountServiceAccountToken"]
    for container in containers():
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
        }  # fmt: skip


# compose


def test_compose_keeps_its_schema() -> None:
    run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")


def test_compose_names_files_that_are_there() -> None:
    made = {"secrets/api.env", "secrets/worker.env", "secrets/users.acl", "settings.env"}  # by the site
    told = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    files = {each["file"] for group in ("configs", "secrets") for each in told[group].values()}
    for service in told["services"].values():
        files |= {each if isinstance(each, str) else each["path"] for each in service.get("env_file", [])}
        assert service["read_only"]
        assert service["healthcheck"]
    assert {file for file in files if not (DEPLOY / file).exists()} <= made
    assert set((DEPLOY / ".gitignore").read_text().split()) >= {"secrets/", "settings.env"}


# All of them


def queues_of(commands: list[str]) -> set[str]:
    return {queue for command in commands for queue in command.split("--queues ")[1].split(",")}


def worker_commands() -> dict[str, list[str]]:
    """How workers are started, by what starts them."""
    told = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"].values()
    units = [path.read_text() for path in SYSTEMD.glob("*.service")]
    starts = [start for unit in units for start in re.findall(r"^ExecStart=(.*)", unit, re.M)]
    return {
        "compose": [" ".join(each["command"]) for each in told if "worker" in each.get("command", [])],
        "systemd": [start for start in starts if " worker " in start],
        "kubernetes": [" ".join(each["command"]) for each in containers() if "worker" in each.get("command", [])],
    }


@pytest.mark.parametrize("where", ["compose", "systemd", "kubernetes"])
def test_every_queue_has_workers(where: str) -> None:
    assert queues_of(worker_commands()[where]) == set(QUEUES)


def test_whoever_stops_is_given_the_time_that_he_takes() -> None:
    """gunicorn's grace for requests under way, and the pause before it where endpoints must go first."""
    told = re.search(r"^graceful_timeout = (\d+)", (ROOT / "service/server/gunicorn_conf.py").read_text(), re.M)
    assert told
    grace = int(told[1])
    stops = [int(each) for each in re.findall(r"stop_grace_period: (\d+)s", (DEPLOY / "compose.yaml").read_text())]
    common = (SYSTEMD / "red-november-.service.d/common.conf").read_text()
    stops += [int(each) for each in re.findall(r"TimeoutStopSec=(\d+)", common)]
    for each in everywhere("Deployment"):
        pod = each["spec"]["template"]["spec"]
        pause = pod["containers"][0].get("lifecycle", {}).get("preStop", {}).get("exec", {}).get("command", ["", "0"])
        stops.append(pod["terminationGracePeriodSeconds"] - int(pause[1]))
    assert len(stops) >= 6
    assert min(stops) >= grace + 10
    assert "KillMode=mixed" in common, "a worker's child that plays a turn must not hear the signal"


def test_settings_are_those_that_the_service_reads() -> None:
    sources = "".join(path.read_text() for path in [*ROOT.glob("service/**/*.py"), ROOT / "engine/compiled/jit.py"])
    example = re.findall(r"^(?:# )?([A-Z_]+)=", (SYSTEMD / "env.example").read_text(), re.M)
    (kustomization,) = documents(KUBERNETES / OF_KUSTOMIZE)
    literals = [each.split("=")[0] for each in kustomization["configMapGenerator"][0]["literals"]]
    assert example
    assert literals
    for name in {*example, *literals}:
        known = name.removeprefix("LIMIT_").lower() if name.startswith("LIMIT_") else name
        assert f'"{known}"' in sources, name


# Kubernetes


def test_the_kustomization_names_every_manifest() -> None:
    (kustomization,) = documents(KUBERNETES / OF_KUSTOMIZE)
    assert sorted(kustomization["resources"]) == sorted(
        path.name for path in KUBERNETES.glob("*.yaml") if path.name != OF_KUSTOMIZE
    )


def test_kubernetes_runs_redis_with_the_same_file() -> None:
    assert (KUBERNETES / "redis.conf").read_text() == (DEPLOY / "redis.conf").read_text()


@pytest.mark.parametrize("folder", ["kubernetes", "kubernetes-example"])
def test_manifests_keep_their_schemas(folder: str) -> None:
    paths = [path for path in (DEPLOY / folder).glob("*.yaml") if path.name != OF_KUSTOMIZE]
    assert paths
    run("kubernetes-validate", "--strict", *paths)


@pytest.mark.parametrize("folder", ["kubernetes", "kubernetes-example"])
def test_kustomize_builds_what_kubernetes_takes(folder: str, tmp_path: Path) -> None:
    kubectl = need("kubectl", "what kustomize builds", "see kubernetes.io/docs/tasks/tools")
    shutil.copytree(DEPLOY, tmp_path / "deploy", ignore=shutil.ignore_patterns("secrets"))
    secrets = tmp_path / "deploy/kubernetes/secrets"
    run(tmp_path / "deploy/make-secrets", secrets, "red-november-redis:6379")
    built = tmp_path / "built.yaml"
    built.write_text(run(kubectl, "kustomize", tmp_path / "deploy" / folder))
    run("kubernetes-validate", "--strict", built)
    assert "REDIS_URL: " in built.read_text()


def test_scalers_and_budgets_are_for_deployments_that_are_there() -> None:
    deployments = {each["metadata"]["name"]: each["spec"] for each in everywhere("Deployment")}
    scaled = [each["spec"]["scaleTargetRef"]["name"] for each in everywhere("HorizontalPodAutoscaler")]
    kept = [each["spec"]["selector"]["matchLabels"] for each in everywhere("PodDisruptionBudget")]
    assert sorted(scaled) == sorted(deployments)
    assert len(kept) == len(deployments)
    for spec in deployments.values():
        labels = spec["template"]["metadata"]["labels"]
        assert spec["selector"]["matchLabels"].items() <= labels.items()
        assert sum(each.items() <= labels.items() for each in kept) == 1
        assert all("cpu" in each["resources"]["requests"] for each in spec["template"]["spec"]["containers"])


def test_only_api_and_workers_reach_redis() -> None:
    (policy,) = (each for each in everywhere("NetworkPolicy") if each["metadata"]["name"] == "red-november-redis")
    ((way_in,), (who,)) = policy["spec"]["ingress"], policy["spec"]["ingress"][0]["from"]
    allowed = who["podSelector"]["matchLabels"]
    for each in everywhere("Deployment"):
        assert allowed.items() <= each["spec"]["template"]["metadata"]["labels"].items()
    (redis,) = everywhere("StatefulSet")
    labels = redis["spec"]["template"]["metadata"]["labels"]
    assert policy["spec"]["podSelector"]["matchLabels"].items() <= labels.items()
    assert not allowed.items() <= labels.items()
    assert [port["port"] for port in way_in["ports"]] == ["redis"]


# systemd


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """Our units, over programs that are there."""
    shutil.copytree(SYSTEMD, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.glob("*.service"):
        text = path.read_text()
        for installed in re.findall(r"^ExecStart=(\S+)", text, re.M):
            text = text.replace(installed, "/bin/true")
        path.write_text(text)
    return tmp_path


def analyze() -> str:
    return need("systemd-analyze", "the check of systemd's units", "`apt-get install systemd`")


def instances(folder: Path) -> list[str]:
    return [path.name.replace("@.", "@1.") for path in folder.iterdir() if path.suffix in (".service", ".target")]


def test_systemd_takes_the_units(units: Path) -> None:
    assert len(instances(units)) == 5
    assert run(analyze(), "verify", *instances(units), cwd=units, SYSTEMD_UNIT_PATH=f"{units}:") == ""


def test_units_may_little(units: Path) -> None:
    """systemd's own measure, from 0 (safe) to 10; a service without any hardening has 9.6."""
    tool = analyze()
    if "--offline" not in run(tool, "--help"):
        pytest.skip("left out: how exposed systemd's units are, for want of systemd 251 or newer")
    for path in units.glob("*.service"):
        told = run(
            tool, "security", "--offline=true", "--threshold=20", "--no-pager", f"./{path.name}",
            cwd=units, SYSTEMD_UNIT_PATH=f"{units}:",
        )  # fmt: skip
        writes_code = "✗ MemoryDenyWriteExecute" in told
        assert writes_code == (path.name != "red-november-redis.service"), "Numba must, Redis need not"


# Prometheus

ALERTS = DEPLOY / "alerts.yaml"
PROMETHEUS_OWN = {"up"}
SUFFIXES = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("_total",), "gauge": ("",)}


def rules() -> list[Any]:
    return [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]


def test_the_alerts_are_rules() -> None:
    (told,) = documents(ALERTS)
    assert told.keys() == {"groups"}
    assert len({rule["alert"] for rule in rules()}) == len(rules())
    for rule in rules():
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"].keys() == {"summary", "description"}
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "1m"))
        for opening, closing in ("()", "[]", "{}"):
            assert rule["expr"].count(opening) == rule["expr"].count(closing)


def test_promtool_takes_the_alerts() -> None:
    promtool = need("promtool", "promtool's check of the alerts", "`apt-get install prometheus`, 100 MB")
    run(promtool, "check", "rules", ALERTS)


def test_alerts_speak_of_what_the_service_tells(api: Client) -> None:
    api.get("/v1/bots")
    families = list(text_string_to_metric_families(api.operator.get("/metrics").body.decode()))
    told = {f"{family.name}{suffix}" for family in families for suffix in SUFFIXES[family.type]}
    labels = {name for family in families for sample in family.samples for name in sample.labels} | {"event"}
    for rule in rules():
        bare = re.sub(r"\{.*?\}|\[.*?\]|\"[^\"]*\"", " ", rule["expr"])
        bare = re.sub(r"\bby \(\w+\)", " ", bare)
        named = set(re.findall(r"\b[a-z_]+\b(?! *\()", bare))
        assert named, rule["alert"]
        assert named <= told | PROMETHEUS_OWN, rule["alert"]
        asked = re.findall(r"[{,] *(\w+)[=!]", rule["expr"])
        assert set(asked) <= labels | {"job"}, rule["alert"]


def test_alerts_on_events_name_those_that_are_counted() -> None:
    counted = [path.read_text() for path in ROOT.glob("service/**/*.py")]
    counted += [path.read_text() for path in ROOT.glob("service/**/*.lua")]
    events = re.findall(r'event="(\w+)"', ALERTS.read_text())
    assert events
    for event in events:
        assert any(re.search(rf'"{event}"(, offered)?\)|"count:{event}"', text) for text in counted), event


def test_nothing_in_deploy_is_of_this_machine_or_secret() -> None:
    ours = [path for path in DEPLOY.rglob("*") if path.is_file() and not {"secrets", "__pycache__"} & set(path.parts)]
    for path in ours:
        text = path.read_text()
        assert str(ROOT) not in text, path
        assert not re.search(r"(?<!--hash=sha256:)\b[0-9a-f]{64}", text), path
        cannot_wrap = path.suffix in (".lock", ".json")
        assert cannot_wrap or all(len(line) <= 120 for line in text.splitlines()), path
