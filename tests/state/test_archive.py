"""Archives: a folder, and what fsspec knows; whole files or none, and no surprise in a URL."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from services.state.archive import ArchiveUnavailable, ArchiveUrlError, open_archive


def count(folder: Path) -> int:
    """Return how many files there are, hidden ones too."""
    return len([path for path in folder.rglob("*") if path.is_file()])


NAME = "2031/05/17/table.txt.gz"


@pytest.mark.parametrize("form", ["{}", "file://{}", "file://localhost{}"])
async def test_a_folder_keeps_what_was_put_last(tmp_path: Path, form: str) -> None:
    archive = open_archive(form.format(tmp_path))
    await archive.put(NAME, b"one")
    await archive.put(NAME, b"other")
    assert (tmp_path / NAME).read_bytes() == b"other"
    assert count(tmp_path) == 1


async def test_puts_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    archive = open_archive(str(tmp_path))
    contents = [bytes([number]) * 200_000 for number in range(8)]
    await asyncio.gather(*(archive.put(NAME, content) for content in contents))
    assert (tmp_path / NAME).read_bytes() in contents
    assert count(tmp_path) == 1


async def test_a_folder_that_is_not_mounted_is_not_made(tmp_path: Path) -> None:
    archive = open_archive(str(tmp_path / "mount"))
    with pytest.raises(ArchiveUnavailable, match="mount is not there"):
        await archive.put(NAME, b"")
    assert not (tmp_path / "mount").exists()
    (tmp_path / "mount").mkdir()
    await archive.put(NAME, b"there")


async def test_a_failed_put_leaves_the_old_file_and_no_half_one(tmp_path: Path) -> None:
    archive = open_archive(str(tmp_path))
    await archive.put("2031/05/17", b"a file where a folder should be")
    with pytest.raises(ArchiveUnavailable, match="cannot write"):
        await archive.put(NAME, b"")
    assert (tmp_path / "2031/05/17").is_file()
    assert count(tmp_path) == 1


async def test_an_object_store_keeps_objects(tmp_path: Path) -> None:
    import fsspec

    archive = open_archive("memory://bucket/games")
    await archive.put(NAME, b"object")
    await archive.put(NAME, b"again")
    assert fsspec.filesystem("memory").cat_file(f"/bucket/games/{NAME}") == b"again"
    # A scheme of whose store it is not known that objects appear as a whole.
    moved = open_archive(f"local://{tmp_path}")
    await moved.put(NAME, b"moved")
    await moved.put(NAME, b"moved again")
    assert (tmp_path / NAME).read_bytes() == b"moved again"
    assert count(tmp_path) == 1


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("archive", "absolute path"),
        ("./archive", "absolute path"),
        ("file://srv/archive", "three slashes"),
        ("gopher://bucket", "gopher:// cannot be used"),
        ("s3://bucket/games", "s3:// cannot be used: Install s3fs"),
    ],
)
def test_a_url_that_cannot_be_used_says_what_would_do(url: str, told: str) -> None:
    with pytest.raises(ArchiveUrlError, match=told):
        open_archive(url)
