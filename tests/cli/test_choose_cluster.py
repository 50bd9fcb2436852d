from __future__ import annotations

from fergus.cli.choose_cluster import chosen_cluster, stated_command


def test_no_cluster_unless_one_is_named() -> None:
    with chosen_cluster(None, lambda *_: None) as cluster:
        assert cluster is None


def test_a_report_does_not_say_where_it_was_computed() -> None:
    assert stated_command(["analyse", "a b.csv", "--dask", "local:2", "--json"]) == "fergus analyse 'a b.csv' --json"
    assert stated_command(["evaluate", "--dask=tcp://host:1", "a"]) == "fergus evaluate a"
    assert stated_command(["evaluate", "--dask"]) == "fergus evaluate"
