"""The pages of participants: the first one, every page of the plan, the last one, and the way out."""

from __future__ import annotations

from starlette.routing import BaseRoute

ROUTES: list[BaseRoute] = []
