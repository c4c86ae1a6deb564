"""Runs the Python examples of the API reference in order, in one program. Prints which of them failed, and why."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from typing import Any


def main() -> None:
    given = json.load(sys.stdin)
    # Examples write labels and other files.
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        scope: dict[str, Any] = {}
        failed: list[str] = []
        exec(given["set_up"], scope)
        scope["print"] = lambda *_: None
        for example in given["examples"]:
            try:
                exec(example["lines"], scope)
            except Exception as error:
                failed.append(f"{example['operationId']}: {error!r}")
        os.chdir("/")
    print(json.dumps({"run": len(given["examples"]), "failed": failed}))


main()
