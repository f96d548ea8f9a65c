from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from services.runtime.roles import roles
from services.runtime.settings import Settings, SettingsError, load_settings


def test_defaults_suit_one_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"RUMMY_ARENA_{name.upper()}", raising=False)
    settings = load_settings()
    assert settings.data_dir == Path(".arena")
    assert settings.redis_url == ""
    assert settings.pool_size >= 1


def test_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUMMY_ARENA_API_PORT", "7001")
    monkeypatch.setenv("RUMMY_ARENA_WORKERS", "3")
    settings = load_settings(api_port=7002, workers=None)
    assert (settings.api_port, settings.workers) == (7002, 3)


@pytest.mark.parametrize(
    ("name", "value"),
    [("API_PORT", "70000"), ("DURABILITY", "never"), ("WORKERS", "many"), ("WORKERS", "0")],
)
def test_a_useless_value_is_named_in_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"RUMMY_ARENA_{name}", value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert str(caught.value).startswith(f"RUMMY_ARENA_{name}={value}: ")
    assert "\n" not in str(caught.value)


def test_a_child_loads_what_its_parent_had(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings(workers=2, durability="always", redis_url="redis://h:1/2")
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    assert load_settings() == settings


def test_the_broker_is_the_state_server_unless_named() -> None:
    assert load_settings(redis_url="redis://a").broker == "redis://a"
    assert load_settings(redis_url="redis://a", broker_url="redis://b").broker == "redis://b"


def test_a_cluster_cannot_be_the_broker() -> None:
    cluster = "redis-cluster://a:1,b:2"
    for urls, told in (
        ({"redis_url": cluster}, "RUMMY_ARENA_BROKER_URL is not set; a cluster cannot be the"),
        (
            {"redis_url": "redis://c", "broker_url": cluster},
            "RUMMY_ARENA_BROKER_URL must name a single server; a cluster cannot be the",
        ),
    ):
        with pytest.raises(SettingsError, match=told):
            load_settings(**urls)
    assert load_settings(redis_url=cluster, broker_url="redis://c").broker == "redis://c"


def test_an_administrators_token_that_can_be_guessed_is_refused_and_not_shown() -> None:
    with pytest.raises(SettingsError, match="give 16 characters or more") as caught:
        load_settings(admin_token="fifteen-letters")
    assert "fifteen" not in str(caught.value)
    assert load_settings(admin_token="sixteen--letters").admin_token == "sixteen--letters"
    assert load_settings(admin_token="").admin_token == ""


def test_ports_are_given_out_from_the_first_and_the_drain_order_holds() -> None:
    plan = roles(load_settings(workers=2, metrics_port=9100))
    assert [role.name for role in plan] == ["beat", "relay", "worker-1", "worker-2", "api"]
    assert sorted(role.metrics_port for role in plan) == [9100, 9101, 9102, 9103, 9104]
    assert {role.name: role.metrics_port for role in plan}["api"] == 9100
    assert {role.metrics_port for role in roles(load_settings(metrics_port=0))} == {0}


def test_import_reads_nothing_from_the_environment() -> None:
    code = "import services.runtime.settings, services.runtime.cli, services.runtime.supervisor"
    environment = {"RUMMY_ARENA_API_PORT": "nonsense", "PATH": ""}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
