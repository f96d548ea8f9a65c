"""Generate the Python stubs of the API into rummy_arena/api/v1, or check the committed ones.

Run ``python proto/generate.py`` after a change of a .proto file and commit what it writes;
``--check`` writes nothing and fails, with the names of the files, if they are out of date.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc  # type: ignore[import-untyped]  # publishes no types

PROTO_ROOT = Path(__file__).resolve().parent
PROJECT_ROOT = PROTO_ROOT.parent
PACKAGE = Path("rummy_arena/api/v1")
SUFFIXES = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")


def generate(target: Path) -> None:
    """Write the stubs of every .proto file under ``target``; exit if protoc refuses one."""
    plugins = Path(sys.executable).parent
    os.environ["PATH"] = f"{plugins}{os.pathsep}{os.environ.get('PATH', '')}"
    sources = sorted(str(path) for path in (PROTO_ROOT / PACKAGE).glob("*.proto"))
    arguments = [
        "protoc",
        f"-I{PROTO_ROOT}",
        f"-I{files('grpc_tools') / '_proto'}",
        f"--python_out={target}",
        f"--grpc_python_out={target}",
        f"--mypy_out=quiet:{target}",
        f"--mypy_grpc_out=quiet:{target}",
        *sources,
    ]
    if protoc.main(arguments) != 0:
        sys.exit("protoc refused the files above; correct them and run again")
    drop_empty_services(target / PACKAGE)


def drop_empty_services(package: Path) -> None:
    """Remove the service stubs of files that define no service."""
    for path in package.glob("*_pb2_grpc.py"):
        source = PROTO_ROOT / PACKAGE / path.name.replace("_pb2_grpc.py", ".proto")
        if not any(line.startswith("service ") for line in source.read_text().splitlines()):
            path.unlink()
            path.with_suffix(".pyi").unlink(missing_ok=True)


def stubs(package: Path) -> dict[str, bytes]:
    """Return the generated files of a package folder by name."""
    return {
        path.name: path.read_bytes() for path in package.glob("*") if path.name.endswith(SUFFIXES)
    }


def differences(fresh: dict[str, bytes], committed: dict[str, bytes]) -> list[str]:
    """Return the names of files that are missing, stale or left over."""
    return sorted(
        name for name in fresh.keys() | committed.keys() if fresh.get(name) != committed.get(name)
    )


def main() -> None:
    """Generate, or check with ``--check``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="fail if the committed stubs are stale"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        fresh = stubs(Path(folder) / PACKAGE)
    stale = differences(fresh, stubs(PROJECT_ROOT / PACKAGE))
    if arguments.check:
        if stale:
            sys.exit(f"stubs are out of date: {', '.join(stale)}; run python proto/generate.py")
        return
    for name in stale:
        path = PROJECT_ROOT / PACKAGE / name
        if name in fresh:
            path.write_bytes(fresh[name])
        else:
            path.unlink()


if __name__ == "__main__":
    main()
