from __future__ import annotations

from fergus.cli.choose_cluster import chosen_cluster


def test_no_cluster_unless_one_is_named() -> None:
    with chosen_cluster(None, lambda *_: None) as cluster:
        assert cluster is None
