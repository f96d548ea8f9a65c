"""Where games go to be kept for good: a folder, or any store that fsspec knows.

An archive is told a name and bytes. The same name may be put any number of times: what a name
holds is always one whole put, never half of one.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from pathlib import Path, PurePosixPath
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

WHOLE_OR_NOT = frozenset(
    {"abfs", "abfss", "adl", "az", "gcs", "gs", "memory", "oss", "r2", "s3", "s3a"}
)
"""Stores in which an object appears as a whole; elsewhere it is moved into its place."""


class ArchiveUnavailable(Exception):
    """What was put is not kept; another try may succeed. The text says what failed."""


class ArchiveUrlError(ValueError):
    """No archive can be opened by this URL; the text says what would do."""


class Archive(Protocol):
    """Keeps bytes under a name like ``2031/05/17/<id>.txt.gz``."""

    async def put(self, name: str, data: bytes) -> None:
        """Keep the bytes, in place of any that the name had; raises ArchiveUnavailable."""
        ...


class FolderArchive:
    """Keeps each name as a file below a folder, which must be there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def is_there(self) -> bool:
        """Whether the folder can be written to as things are: one that is not is not made."""
        return self.folder.is_dir()

    async def put(self, name: str, data: bytes) -> None:
        """Write the file beside its place, sync it, and move it there."""
        await asyncio.to_thread(self._put, name, data)

    def _put(self, name: str, data: bytes) -> None:
        target = self.folder / name
        beside = target.with_name(_beside(target.name))
        try:
            # A disk that is not mounted must not become a folder on another one.
            if not self.is_there:
                raise ArchiveUnavailable(f"{self.folder} is not there, or no folder")
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with beside.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                beside.replace(target)
            finally:
                beside.unlink(missing_ok=True)
            _sync(target.parent)
        except OSError as error:
            raise ArchiveUnavailable(f"cannot write {target}: {error.strerror}") from error


class ObjectArchive:
    """Keeps each name as an object below a path of an fsspec file system."""

    def __init__(self, files: Any, path: str, *, whole: bool) -> None:
        self._files = files
        self._path = path.rstrip("/")
        self._whole = whole

    async def put(self, name: str, data: bytes) -> None:
        """Write the object."""
        await asyncio.to_thread(self._put, name, data)

    def _put(self, name: str, data: bytes) -> None:
        target = f"{self._path}/{name}"
        try:
            if self._whole:
                self._files.pipe_file(target, data)
                return
            parent, _, last = target.rpartition("/")
            self._files.makedirs(parent, exist_ok=True)
            beside = f"{parent}/{_beside(last)}"
            self._files.pipe_file(beside, data)
            self._files.mv(beside, target)
        # Each of the many libraries behind fsspec has errors of its own.
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise ArchiveUnavailable(f"cannot write {target}: {reason}") from error


def open_archive(url: str) -> Archive:
    """Return the archive at a path, a ``file:`` URL, or a URL of a scheme that fsspec knows.

    Nothing is written or connected yet. Raises ArchiveUrlError.
    """
    parts = urlsplit(url)
    if parts.scheme == "file" or "://" not in url:
        if parts.netloc not in ("", "localhost"):
            raise ArchiveUrlError("a file: URL has three slashes, as in file:///srv/archive")
        folder = Path(unquote(parts.path) if parts.scheme == "file" else url)
        if not folder.is_absolute():
            raise ArchiveUrlError("give the folder's absolute path, as in /srv/archive")
        return FolderArchive(folder)
    return _objects(url, parts.scheme)


def _objects(url: str, scheme: str) -> ObjectArchive:
    try:
        from fsspec.core import url_to_fs
    except ModuleNotFoundError:
        raise ArchiveUrlError(
            f"{scheme}:// needs the package fsspec: pip install 'rummy-arena[archive]'"
        ) from None
    try:
        files, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ArchiveUrlError(f"{scheme}:// cannot be used: {reason}") from None
    return ObjectArchive(files, str(path), whole=scheme in WHOLE_OR_NOT)


def _beside(name: str) -> str:
    """Return a name that nobody else writes to, and that no reader takes for a game's."""
    return f".{PurePosixPath(name).name}.{secrets.token_hex(8)}.part"


def _sync(folder: Path) -> None:
    """Make the new name itself outlast a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
