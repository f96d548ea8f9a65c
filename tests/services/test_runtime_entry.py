"""The command where only the library's packages are installed."""

from __future__ import annotations

import sys

import pytest

from services.runtime.entry import main


def test_missing_server_packages_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typer", None)
    monkeypatch.delitem(sys.modules, "services.runtime.cli", raising=False)
    with pytest.raises(SystemExit) as ended:
        main()
    assert str(ended.value).startswith("rummy-arena: the package typer is missing")
    assert "pip install 'rummy-arena[server]'" in str(ended.value)
