"""Findings as SARIF 2.1.0, which code hosts and editors show beside the lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mxtorch.report.finding import Finding
from mxtorch.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(findings: Iterable[Finding], rules: Mapping[str, str]) -> dict[str, Any]:
    """The log of one run; `rules` says what each code means."""
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "mxtorch",
                        "version": __version__,
                        "rules": [
                            {"id": code, "shortDescription": {"text": text}}
                            for code, text in rules.items()
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding) for finding in findings],
            }
        ],
    }


def _result(finding: Finding) -> dict[str, Any]:
    return {
        "ruleId": finding.code,
        "level": "warning" if finding.act else "note",
        "message": {"text": finding.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": finding.path},
                    "region": {"startLine": finding.line, "startColumn": finding.column},
                }
            }
        ],
    }
