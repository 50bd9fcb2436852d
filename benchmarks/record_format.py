"""What records say that they are; those without a version are of the first."""

from __future__ import annotations

FORMAT, VERSION = "fergus-benchmark", 1
