from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from services.runtime.datadir import LAYOUT, LOG_KEPT_BYTES, DataDir, DataDirError


def test_a_new_directory_gets_its_layout_and_is_private(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path / "arena")
    data_dir.create()
    data_dir.create()
    assert (data_dir.path / "layout").read_text() == f"{LAYOUT}\n"
    assert stat.S_IMODE(data_dir.path.stat().st_mode) == 0o700


def test_a_directory_of_another_layout_is_refused(tmp_path: Path) -> None:
    (tmp_path / "layout").write_text("99\n")
    with pytest.raises(DataDirError, match=r"layout version '99'.*another --data-dir"):
        DataDir(tmp_path).create()


def test_a_directory_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("x")
    with pytest.raises(DataDirError, match="not a Rummy Arena data directory"):
        DataDir(tmp_path).create()
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_in_the_way_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataDirError, match="cannot use the data directory"):
        DataDir(tmp_path / "file").create()


def test_one_process_at_a_time(tmp_path: Path) -> None:
    first = DataDir(tmp_path)
    first.create()
    first.lock()
    code = (
        "import sys; from pathlib import Path\n"
        "from services.runtime.datadir import DataDir, DataDirError\n"
        "try: DataDir(Path(sys.argv[1])).lock()\n"
        "except DataDirError as error: print(error)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    refused = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "in use by process" in refused
    first.unlock()
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == ""


def test_the_admin_token_is_made_once_and_private(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    data_dir.create()
    token = data_dir.admin_token()
    assert len(token) >= 43
    assert data_dir.admin_token() == token
    assert stat.S_IMODE(data_dir.token_file.stat().st_mode) == 0o600
    data_dir.token_file.write_text("")
    with pytest.raises(DataDirError, match="delete it"):
        data_dir.admin_token()


def test_notices_and_the_run_record_come_back(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    data_dir.create()
    assert data_dir.notice("api") is None
    data_dir.announce("api", {"pid": 7})
    assert data_dir.notice("api") == {"pid": 7}
    data_dir.clear_notices()
    assert data_dir.notice("api") is None
    data_dir.write_run({"version": "1"})
    assert data_dir.read_run() == {"version": "1"}
    data_dir.clear_run()
    assert data_dir.read_run() is None


def test_a_long_log_is_put_aside(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    data_dir.create()
    with data_dir.log("api").open("wb") as log:
        log.truncate(LOG_KEPT_BYTES + 1)
    data_dir.rotate_log("api")
    data_dir.rotate_log("worker-1")
    assert sorted(entry.name for entry in data_dir.logs.iterdir()) == ["api.log.1"]
