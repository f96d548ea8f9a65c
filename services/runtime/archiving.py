"""What an archived table is written as, for the workers, who do not know the API's messages."""

from __future__ import annotations

from services.play.archive_table import Form
from services.play.export_notation import notation
from services.rpc.export_lines import json_lines

FORMS: dict[str, Form] = {"jsonl": json_lines, "txt": notation}
"""By the ending of the file's name."""
