"""An analysis as JSON: everything that was found, what is undefined as null, the same bytes for the same analysis.

{"format": "fergus-analysis", "version": 1, "fergus": "0.1.0", "source": "ratings.csv", "summary": [...],
 "analysis_settings": {"dimensions": [...], "metrics": [...], "tests": [...], ...},   # what a plan is compared with
 "settings": {"samples": 1000, ...}, "notices": [...],
 "dimensions": [{"dimension": "quality", "reliability": {...}, "systems": [...], "correlations": [...], ...}],
 "between_dimensions": [{"first": ..., "second": ..., "pearson": ..., "low": ..., ...}],
 "points": {"quality": {"judged": [...]}, "metrics": {...}},
 "turing": [{"question": "which", "share": {...}, "groups": [...], "pairs": [...], "people": [...], ...}],
 "preferences": [{"question": "better", "systems": [...], "between": [...], "texts": [...], "side": {...}, ...}],
 "comments": [{"question": "why", "categories": [...], ...}], "tasks": [{"factor": "system", "levels": [...], ...}],
 "plan": null}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from math import isfinite
from typing import Any

from fergus.analysis.preregister import ANALYSIS, ANALYSIS_VERSION
from fergus.analysis.report import PlanCheck, Report, analysis_settings
from fergus.analysis.summary import summary


def report_json(report: Report) -> str:
    """The document, ending in a line break."""
    return json.dumps(record_of(report), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def record_of(report: Report) -> dict[str, Any]:
    """The document as plain data."""
    analysis = report.analysis
    return {
        "format": ANALYSIS,
        "version": ANALYSIS_VERSION,
        "fergus": analysis.version,
        "source": analysis.source,
        "command": report.command,
        "summary": list(summary(report)),
        "analysis_settings": plain(analysis_settings(analysis, report.found)),
        "settings": plain(analysis.settings),
        "inputs": analysis.inputs,
        "systems": plain(analysis.systems),
        "metrics": plain(analysis.metrics),
        "signatures": plain(report.signatures),
        "notices": plain((*analysis.notices, *report.notices, *report.found.notices)),
        "dimensions": plain(analysis.dimensions),
        "between_dimensions": [
            {
                "first": first,
                "second": second,
                "pearson": plain(found.value),
                "low": plain(found.low),
                "high": plain(found.high),
                "n": found.n,
                "p": plain(found.p),
            }
            for (first, second), found in analysis.between_dimensions.items()
        ],
        "points": plain(analysis.points),
        "turing": plain(report.found.turing),
        "preferences": plain(report.found.preferences),
        "comments": plain(report.found.comments),
        "tasks": plain(report.found.tasks),
        "plan": None if report.plan is None else _plan(report.plan),
    }


def plain(value: Any) -> Any:
    """Dataclasses as objects, NaN and infinity as null."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(own) for key, own in value.items()}
    if isinstance(value, tuple | list):
        return [plain(own) for own in value]
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    return value


def _plan(check: PlanCheck) -> dict[str, Any]:
    return {
        "file": check.path,
        "sha256": check.freeze.plan.digest,
        "is_kept": check.is_kept,
        "frozen": [{"sha256": one.sha256, "date": one.date, "reason": one.reason} for one in check.freeze.frozen],
        "changes": list(check.freeze.changes),
        "deviations": [asdict(one) for one in check.deviations],
    }
