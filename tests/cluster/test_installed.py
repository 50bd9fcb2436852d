from __future__ import annotations

import pytest

from fergus.cluster.installed import OURS, check_installed
from fergus.errors import InputError
from fergus.version import __version__

HERE = (__version__, {"en.fergus": "1f"})


def test_the_same_everywhere() -> None:
    check_installed({OURS: HERE, "tcp://a:1": HERE})


@pytest.mark.parametrize(
    ("there", "message"),
    [
        (None, f"the worker at tcp://a:1 has no Fergus; install version {__version__} there"),
        (("0.0.1", HERE[1]), f"has Fergus 0.0.1, and this is {__version__}; install the same version everywhere"),
        ((__version__, {"en.fergus": "2e"}), "has other shipped models than these; install Fergus from the same"),
        ((__version__, {}), "has other shipped models than these"),
    ],
)
def test_a_worker_that_has_something_else(there: tuple[str, dict[str, str]] | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_installed({"tcp://b:1": HERE, "tcp://a:1": there, OURS: HERE})
