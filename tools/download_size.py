"""Says how much `pip install ARGS` would download, before it does: `download_size.py torch`."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from typing import Any


def planned(arguments: list[str]) -> list[dict[str, Any]]:
    """What pip would install: its report's entries, or none if it cannot tell."""
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--report", "-"]
    done = subprocess.run(pip + arguments, capture_output=True, text=True, check=False)
    if done.returncode:
        return []
    found: list[dict[str, Any]] = json.loads(done.stdout)["install"]
    return found


def size_of(url: str) -> int | None:
    """Bytes behind `url`; 0 for a file on this disk, None if nobody says."""
    if urllib.parse.urlsplit(url).scheme == "file":
        return 0
    try:
        request = urllib.request.Request(url, method="HEAD")
        with urllib.request.urlopen(request, timeout=20) as answer:
            length = answer.headers.get("Content-Length")
    except (urllib.error.URLError, OSError):
        return None
    return int(length) if length else None


def main() -> int:
    arguments = sys.argv[1:]
    name = arguments[0]
    packages = planned(arguments)
    sizes = [size_of(package["download_info"]["url"]) for package in packages]
    total = sum(size or 0 for size in sizes)
    if None in sizes or not packages:
        print(f"{name}: the size of the download is not known; some builds take gigabytes")
    elif total == 0:
        print(f"{name}: nothing to download")
    else:
        print(f"{name}: {total / 1e6:,.0f} MB to download ({len(packages)} packages)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
