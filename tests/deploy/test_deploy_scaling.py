"""What watches and scales the service: queries that run on what a real one tells, manifests that fit together."""

import json
import math
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.test_deploy import documents, everywhere, rules, run
from tests.support.answers import finished, refused
from tests.support.promql import BadQuery, Scrape
from tests.support.promql import run as run_query
from tests.support.serving import DEPLOY, Client, new_game, running_redis, running_web, running_workers
from tests.support.tools import need

DASHBOARD = DEPLOY / "grafana/red-november.json"
SCALERS = DEPLOY / "kubernetes-keda/scalers.yaml"
CLUSTER = DEPLOY / "kubernetes-cluster"
Scrapes = tuple[Scrape, Scrape]


def panels() -> list[Any]:
    return list(json.loads(DASHBOARD.read_text())["panels"])


def queries_of_dashboard() -> list[str]:
    return [target["expr"] for panel in panels() for target in panel["targets"]]


def queries_of_scalers() -> list[str]:
    triggers = [trigger for each in documents(SCALERS) for trigger in each["spec"]["triggers"]]
    return [trigger["metadata"]["query"] for trigger in triggers if trigger["type"] == "prometheus"]


@pytest.fixture(scope="module")
def scrapes() -> Iterator[Scrapes]:
    """Two scrapes of a service, between which games were played, by bots too, and somebody was refused."""

    def scrape(api: Client) -> Scrape:
        return Scrape.of(api.operator.get("/metrics").body.decode(), time.monotonic(), job="red-november")

    with running_redis() as url, running_web(url, workers=1) as api, running_workers(url):
        game = new_game(api)
        before = scrape(api)
        finished(api)
        bots = new_game(api, seats=["sailor"] * 3)
        ends = time.monotonic() + 60
        while bots.state["status"] != "finished" and time.monotonic() < ends:
            game.host.get(f"{bots.path}?after={bots.state['version']}&wait=5")
        refused(game.host.get("/v1/games/aaaaaaaaaaaaaaaa"), "no_such_game")
        yield before, scrape(api)


@pytest.mark.parametrize("query", queries_of_dashboard() + queries_of_scalers())
def test_a_query_comes_to_something_on_what_a_real_service_tells(scrapes: Scrapes, query: str) -> None:
    found = run_query(query, *scrapes)
    assert found, "it finds nothing"
    assert not any(math.isnan(value) for value in found.values()), found


def test_an_alert_is_silent_while_all_is_well(scrapes: Scrapes) -> None:
    told = {rule["alert"]: run_query(rule["expr"], *scrapes) for rule in rules()}
    assert {name: found for name, found in told.items() if found} == {}


@pytest.mark.parametrize("query", ["red_november_games{", "sum by (x) (1)", "rum and grog(", "up[5m]"])
def test_what_is_no_query_is_noticed(scrapes: Scrapes, query: str) -> None:
    with pytest.raises(BadQuery):
        run_query(query, *scrapes)


def test_the_dashboard_names_each_panel_once_and_lets_them_stand_side_by_side() -> None:
    assert len({panel["title"] for panel in panels()}) == len(panels()) > 10
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels()}
    assert len(places) == len(panels())
    for panel in panels():
        assert panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24
        assert all(target["legendFormat"] for target in panel["targets"])


def test_scalers_are_for_deployments_that_are_there_and_outlive_prometheus() -> None:
    deployments = {each["metadata"]["name"]: each["spec"] for each in everywhere("Deployment")}
    component = yaml.safe_load((SCALERS.parent / "kustomization.yaml").read_text())
    gone = {yaml.safe_load(each["patch"])["metadata"]["name"] for each in component["patches"]}
    scaled = {each["spec"]["scaleTargetRef"]["name"]: each["spec"] for each in documents(SCALERS)}
    assert scaled.keys() == gone <= deployments.keys()
    for spec in scaled.values():
        assert spec["minReplicaCount"] <= spec["fallback"]["replicas"] <= spec["maxReplicaCount"]
        for trigger in spec["triggers"]:
            if trigger["type"] == "prometheus":
                assert trigger["metadata"]["ignoreNullValues"] == "false"
            else:
                assert trigger["metadata"]["listName"] == "rq:queue:turns"


def test_pods_of_a_kind_are_spread_over_hosts_and_zones() -> None:
    for each in everywhere("Deployment"):
        spread = each["spec"]["template"]["spec"]["topologySpreadConstraints"]
        assert [one["topologyKey"] for one in spread] == ["kubernetes.io/hostname", "topology.kubernetes.io/zone"]
        assert all(one["labelSelector"] == each["spec"]["selector"] for one in spread)


def test_the_users_of_a_cluster_have_the_rights_of_the_template() -> None:
    template = (DEPLOY / "users.acl.template").read_text()
    (cluster,) = documents(CLUSTER / "valkey.yaml")
    for user in cluster["spec"]["users"]:
        name = user["name"]
        told = re.search(rf"^user {name} on #@{name.upper()}@((?:.|\n )*)", template, re.M)
        assert told, name
        lines = [line.removesuffix("@NODES@") for line in told[1].splitlines() if not line.strip().startswith("#")]
        assert user["permissions"].split() == " ".join(lines).split()
    assert cluster["spec"]["config"]["cluster-require-full-coverage"] == "no"
    assert cluster["apiVersion"].endswith("alpha1")


def test_kustomize_builds_the_overlay_of_a_cluster_with_scalers(tmp_path: Path) -> None:
    kubectl = need("kubectl", "what kustomize builds for a cluster", "see kubernetes.io/docs/tasks/tools")
    deploy = tmp_path / "deploy"
    shutil.copytree(DEPLOY, deploy, ignore=shutil.ignore_patterns("secrets"))
    where = "red-november-redis:6379"
    run(deploy / "make-secrets", deploy / "kubernetes/secrets", where)
    run(deploy / "make-secrets", deploy / "kubernetes-cluster/secrets", where, "a:6379,b:6379")
    site = deploy / "site"
    site.mkdir()
    (site / "kustomization.yaml").write_text("resources: [../kubernetes-cluster]\ncomponents: [../kubernetes-keda]\n")
    built = list(yaml.safe_load_all(run(kubectl, "kustomize", site)))
    kinds = {(each["kind"], each["metadata"]["name"].rpartition("-")[0]) for each in built if each["kind"] == "Secret"}
    assert ("Secret", "red-november-api") in kinds
    names = [(each["kind"], each["metadata"]["name"]) for each in built]
    assert ("ValkeyCluster", "red-november") in names
    assert ("Secret", "red-november-cluster-passwords") in names
    assert ("ScaledObject", "red-november-turns") in names
    assert [name for kind, name in names if kind == "HorizontalPodAutoscaler"] == ["red-november-matches"]
    api = (deploy / "kubernetes-cluster/secrets/api.env").read_text()
    passwords = (deploy / "kubernetes-cluster/secrets/passwords.env").read_text()
    password = dict(line.split("=") for line in passwords.splitlines())["api"]
    assert f"REDIS_URL=redis+cluster://api:{password}@a:6379,b:6379\n" in api
    assert f"QUEUE_URL=redis://api:{password}@{where}/0\n" in api
    assert not (deploy / "kubernetes/secrets/passwords.env").exists()


def test_the_script_for_kind_is_one_that_a_shell_reads_and_says_that_it_was_never_run() -> None:
    script = DEPLOY / "try-kind"
    subprocess.run(["sh", "-n", script], check=True)
    assert "NEVER RAN THIS" in script.read_text()
    for path in re.findall(r"\$here/(deploy/[\w./-]+)", script.read_text()):
        assert (DEPLOY.parent / path).exists(), path
