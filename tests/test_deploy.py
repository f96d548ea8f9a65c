"""What stands in deploy/ agrees with the code: metrics, settings, commands, files."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry
from pydantic import TypeAdapter
from typer.main import get_command

from services.runtime.cli import app
from services.runtime.settings import PREFIX, Settings
from services.state.meters import Meters

DEPLOY = Path(__file__).parent.parent / "deploy"
COMPOSE = DEPLOY / "compose.yaml"
DASHBOARD = DEPLOY / "grafana" / "dashboards" / "arena.json"
ALERTS = DEPLOY / "prometheus" / "alerts.yml"
TARGET_LABELS = {"job", "instance"}
SUFFIXES = {
    "counter": ("_total",),
    "gauge": ("",),
    "histogram": ("_bucket", "_sum", "_count"),
}


def parsed(path: Path) -> Any:
    return yaml.safe_load(path.read_text())


def known_metrics() -> dict[str, set[str]]:
    """Return the labels of every sample that the processes can expose, by name."""
    registry = CollectorRegistry()
    meters = Meters(registry)
    found = {"up": TARGET_LABELS}
    found["rummy_arena_process_restarts"] = {"process", *TARGET_LABELS}  # of every process
    for metric in vars(meters).values():
        for family in metric.describe() if hasattr(metric, "describe") else ():
            for suffix in SUFFIXES[family.type]:
                labels = {*metric._labelnames, *TARGET_LABELS}
                found[family.name + suffix] = labels | ({"le"} if suffix == "_bucket" else set())
    return found


def expressions() -> dict[str, str]:
    """Return every PromQL expression, by where it stands."""
    found = {
        f"alert {rule['alert']}": rule["expr"]
        for group in parsed(ALERTS)["groups"]
        for rule in group["rules"]
    }
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        for target in panel.get("targets", ()):
            found[f"panel {panel['title']} {target['refId']}"] = target["expr"]
    return found


METRIC = re.compile(r"\b(?:rummy_arena|grpc_server)_\w+|\bup\b")
SELECTOR = re.compile(r"(\w+)\{([^}]*)\}")
GROUPING = re.compile(r"\bby \(([^)]*)\)")


@pytest.mark.parametrize("where", expressions())
def test_rules_and_panels_ask_for_metrics_and_labels_that_exist(where: str) -> None:
    expression = expressions()[where]
    known = known_metrics()
    asked = METRIC.findall(expression)
    assert asked
    assert set(asked) <= set(known), where
    for name, matchers in SELECTOR.findall(expression):
        labels = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", matchers))
        assert labels <= known[name], where
    for labels in GROUPING.findall(expression):
        for name in asked:
            assert set(re.split(r",\s*", labels)) <= known[name], where


def test_every_metric_is_on_the_dashboard_or_in_an_alert() -> None:
    text = " ".join(expressions().values())
    shown = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in METRIC.findall(text)}
    families = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in known_metrics()}
    assert families == shown


def test_panels_do_not_overlap() -> None:
    taken: dict[tuple[int, int], str] = {}
    panels = json.loads(DASHBOARD.read_text())["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert taken.setdefault((x, y), panel["title"]) == panel["title"]


def test_every_alert_has_its_section_in_the_runbook() -> None:
    sections = re.findall(r"^### (\w+)$", (DEPLOY / "RUNBOOK.md").read_text(), re.MULTILINE)
    alerts = [rule["alert"] for group in parsed(ALERTS)["groups"] for rule in group["rules"]]
    assert sections == alerts


@pytest.mark.parametrize(
    "path", [p for p in sorted(DEPLOY.rglob("*")) if p.is_file()], ids=lambda p: p.name
)
def test_every_variable_is_a_setting(path: Path) -> None:
    settings = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    assert set(re.findall(rf"\b{PREFIX}[A-Z_]+", path.read_text())) <= settings


GIVEN_BY_PARENTS = {"process_name", "process_restarts"}


def test_the_runbook_lists_every_setting_with_its_default() -> None:
    text = (DEPLOY / "RUNBOOK.md").read_text()
    rows = re.findall(rf"^\| `{PREFIX}(\w+)` \| (?:`(.*?)`)? *\|", text, re.MULTILINE)
    listed = {name.lower(): default for name, default in rows}
    fields = {name: field.default for name, field in Settings.model_fields.items()}
    assert set(listed) == set(fields) - GIVEN_BY_PARENTS
    for name, default in listed.items():
        told = TypeAdapter(type(fields[name])).validate_python(default)
        assert told == fields[name], name


def services() -> dict[str, Any]:
    found: dict[str, Any] = parsed(COMPOSE)["services"]
    return found


@pytest.mark.parametrize("name", ["api", "relay", "worker", "beat"])
def test_compose_starts_processes_that_exist(name: str) -> None:
    service = services()[name]
    assert_command_exists(service["command"])
    assert service["read_only"]
    assert service["depends_on"]["valkey"]["condition"] == "service_healthy"


def assert_command_exists(command: list[str]) -> None:
    match command:
        case ["rummy-arena", subcommand]:
            assert subcommand in get_command(app).commands  # type: ignore[attr-defined]
        case ["python", "-m", "workers.main", role]:
            from workers.main import ROLES

            assert role in ROLES
        case _:
            pytest.fail(f"neither a subcommand nor a worker's role: {command}")


def dockerfile() -> list[tuple[str, str]]:
    """Return the Dockerfile's instructions, continued lines joined."""
    text = re.sub(r"^\s*#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines if line.strip()]


def test_the_image_runs_unprivileged_a_command_that_exists() -> None:
    instructions = dockerfile()
    last_stage = instructions[
        max(n for n, (word, _) in enumerate(instructions) if word == "FROM") :
    ]
    assert [rest for word, rest in last_stage if word == "USER"] == ["arena"]
    assert_command_exists(json.loads(next(rest for word, rest in last_stage if word == "CMD")))
    assert any("--require-hashes -r requirements.lock" in rest for _, rest in instructions)


def test_the_image_is_made_of_files_that_exist_and_are_let_through() -> None:
    root = DEPLOY.parent
    allowed = {
        line[1:]
        for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    copied = {
        source
        for word, rest in dockerfile()
        if word == "COPY" and not rest.startswith("--from")
        for source in rest.split()[:-1]
    }
    assert copied == allowed
    assert all((root / name).exists() for name in copied)


def test_the_health_check_imports_what_exists() -> None:
    check = next(rest for word, rest in dockerfile() if word == "HEALTHCHECK")
    module = re.search(r"from ([\w.]+) import (\w+)", check)
    assert module
    assert importlib.util.find_spec(module[1])
    assert hasattr(importlib.import_module(module[1]), module[2])


def test_prometheus_scrapes_every_process() -> None:
    jobs = {
        job["job_name"]: job
        for job in parsed(DEPLOY / "prometheus/prometheus.yml")["scrape_configs"]
    }
    assert set(jobs) == {"api", "relay", "worker", "beat"} <= set(services())
    port = next(r for w, r in dockerfile() if w == "EXPOSE").split()[1]
    for name, job in jobs.items():
        if "static_configs" in job:
            assert job["static_configs"][0]["targets"] == [f"{name}:{port}"]
        else:
            assert (job["dns_sd_configs"][0]["names"], job["dns_sd_configs"][0]["port"]) == (
                [name],
                int(port),
            )


def test_grafana_finds_its_source_and_dashboard() -> None:
    source = parsed(DEPLOY / "grafana/provisioning/datasources/prometheus.yml")["datasources"][0]
    board = json.loads(DASHBOARD.read_text())
    used = {panel["datasource"]["uid"] for panel in board["panels"] if "datasource" in panel}
    assert used == {source["uid"]}
    provider = parsed(DEPLOY / "grafana/provisioning/dashboards/arena.yml")["providers"][0]
    mounts = [volume.split(":")[1] for volume in services()["grafana"]["volumes"]]
    assert provider["options"]["path"] in mounts


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "config", "prometheus/prometheus.yml"],
        ["test", "rules", "prometheus/alerts.test.yml"],
    ],
    ids=" ".join,
)
def test_promtool_accepts(arguments: list[str]) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed (Debian's package prometheus has it)")
    done = subprocess.run([promtool, *arguments], cwd=DEPLOY, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
