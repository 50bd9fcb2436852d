"""The records of every benchmark, whose shapes differ, as tables of one shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bars import BOOTSTRAP, NO_BAR, REPORT, STREAM, TIMES_JIWER, TIMES_TER
from columns import ACCURACY_COLUMNS, COST_COLUMNS, REALIZED_COLUMNS
from record_tables import Cell, Line, Record, Table, asked_by, asked_table, wide_table

TEST_SETS = {
    "ewt-labels": "EWT dev, with labels",
    "ewt-bare": "EWT dev, bare",
    "wsj-100": "WSJ sample, bare, 100 sentences of at most 24 words",
    "wsj-24": "WSJ sample, bare, all sentences of at most 24 words",
    "wsj-8-25": "WSJ sample, bare, sentences of 8 to 25 words",
}
LOAD = {
    "answers_per_second": ("answers/s", "{:,.1f}"),
    "p50_ms": ("p50 ms", "{:,.0f}"),
    "p95_ms": ("p95 ms", "{:,.0f}"),
    "p99_ms": ("p99 ms", "{:,.0f}"),
    "errors": ("errors", "{:,}"),
}
NEAR = 0.97
"""Of an offered load, so much is given when people think at random."""


def realize(record: Record) -> Iterator[Table]:
    """Quality by test set with the papers' figures, margins, whole processes."""
    if sentences := record.get("figure2"):
        cells = tuple((Cell(preset), Cell(said), _yes(right)) for preset, said, right in sentences)
        yield Table("Figure 2 of the paper, bare", ("preset", "sentence", "as in the paper"), cells)
    for test_set, title in TEST_SETS.items():
        rows = [row for row in record["results"] if row["test_set"] == test_set]
        if rows:
            shown = [pair for row in rows for pair in _with_what_is_asked(row)]
            note = f"{rows[0].get('sentences', 0):,} sentences, {rows[0].get('words_per_sentence', 0):.1f} words each"
            yield wide_table(title, "system", REALIZED_COLUMNS, shown, note)
    for test_set in ("wsj-100", "wsj-24"):
        rows = [row for row in record.get("margins", ()) if row["test_set"] == test_set]
        if rows:
            columns = {key: (heading, "{:+.4f}") for key, (heading, _) in ACCURACY_COLUMNS.items()}
            shown = [(row["system"], row) for row in rows]
            yield wide_table(f"Margins, {TEST_SETS[test_set]}", "", columns, shown, "aim: the papers’ margins")
    rows = [row for row in record["results"] if row["test_set"] == "system"]
    if rows:
        yield wide_table(
            "Fergus as a program", "", COST_COLUMNS, [pair for row in rows for pair in _with_what_is_asked(row)]
        )


def _with_what_is_asked(row: Record) -> Iterator[tuple[str, Record]]:
    if row.get("skipped"):
        return
    yield row["system"], row
    for key, name in (("at_least", "asked"), ("aim", "aim"), ("papers", "the papers")):
        if row.get(key):
            yield f"— {name}", row[key]


def _yes(is_so: bool | None) -> Cell:
    return Cell("") if is_so is None else Cell("yes ✓" if is_so else "no ✗", "bar" if is_so else "missed")


def complete(record: Record) -> Iterator[Table]:
    """Every stage and both tracks."""
    keys = ("at_least", "aim", "verdict")
    lines = [
        Line(
            row["figure"], row["value"], "{:,.4g}", beside=row.get("peer", ""), **{k: row[k] for k in keys if k in row}
        )
        for row in record["results"]
    ]
    yield asked_table("Stages and tracks", lines)


def words(record: Record) -> Iterator[Table]:
    """The original word among its synonyms."""
    columns = {name: (name, "{:.1%}") for name in ("all", "NOUN", "VERB", "ADJ", "ADV")}
    columns["above"] = ("above the most frequent", "{:+.1%}")
    rows = [(name, row) for name, row in record["systems"].items()]
    best = {"above": record["verdict"]}
    rows[-1] = (rows[-1][0], {**rows[-1][1], "verdicts": best})
    rows += [("— asked", record["at_least"]), ("— aim", record["aim"])]
    yield wide_table("The word among its synonyms", "", columns, rows, f"{record['cases']:,} words of EWT dev")


def rules(record: Record) -> Iterator[Table]:
    """Fergus and a rule-based realizer on the same trees."""
    columns = {
        "bleu": ("BLEU", "{:.1f}"),
        "exact_match": ("exact", "{:.1%}"),
        "words_right": ("words right", "{:.1%}"),
        "sentences_per_second": ("sentences/CPU s", "{:,.0f}"),
        "given": ("is given", "{}"),
    }
    note = (
        f"{record['taken']:,} of the {record['sentences']:,} sentences of EWT dev, {record['words_per_sentence']:.1f} "
        f"words each, small letters; {record['peer']}. Fergus is trained on the training part of the same treebank."
    )
    rows = [(row["system"], row) for row in record["results"]]
    yield wide_table("The same trees for a rule-based realizer", "", columns, rows, note)
    reasons = tuple((Cell(reason), Cell(f"{count:,}")) for reason, count in record["left_out"].items())
    yield Table("What pyrealb is not given", ("first reason", "sentences"), reasons)


def metrics(record: Record) -> Iterator[Table]:
    """Exactness, speed beside jiwer and sacreBLEU, memory."""
    found = record["results"]
    if one := found.get("exact"):
        scores = " ".join(f"{score:.2f}" for score in one["table_1"])
        lines = [
            Line(
                "random pairs with the counts of brute force",
                one["brute_force_agreed"],
                "{:,}",
                one["brute_force_cases"],
            ),
            Line("footnote 5, simple errors", one["footnote_5"][0], beside="the paper: 6"),
            Line("footnote 5, generation errors", one["footnote_5"][1], beside="the paper: 3"),
        ]
        yield asked_table("Exactness of the metrics", lines, f"Table 1: {scores} (the paper: 0.44 0.56 0.33 0.67)")
    if one := found.get("speed"):
        lines = [line for share, row in one.items() for line in _times(share, row)]
        note = "10,000 pairs of about 20 tokens; our four accuracies together; CPU seconds"
        yield asked_table("Four accuracies beside jiwer and sacreBLEU", lines, note)
    if one := found.get("peers"):
        columns = {
            "pairs_per_second": ("pairs/s", "{:,.0f}"),
            "sacrebleu_pairs_per_second": ("sacreBLEU, pairs/s", "{:,.0f}"),
        }
        yield wide_table("Every metric alone", "metric", columns, one.items(), "10,000 pairs")
    if one := found.get("stream"):
        lines = [
            Line(f"{name} metrics, peak MB", row["peak_megabytes"], "{:,.0f}", **asked_by(STREAM, "peak_megabytes"),
                 beside=f"{row['pairs']:,} pairs in {row['seconds']:,.0f} s") for name, row in one.items()
        ]  # fmt: skip
        yield asked_table("A stream of pairs", lines)
    if one := found.get("bootstrap"):
        bars = {"with intervals and paired bootstrap": BOOTSTRAP}
        lines = [
            Line(f"{name}, seconds", value, "{:.2f}", **asked_by(bars.get(name, NO_BAR), "seconds"))
            for name, value in one.items()
            if name != "metrics"
        ]
        yield asked_table("Bootstrap", lines, f"5 systems, 2,000 sentences, {one['metrics']} metrics, 1,000 samples")


def _times(share: str, row: Record) -> Iterator[Line]:
    ours, jiwer, ter = row["seconds"], row["jiwer_seconds"], row["sacrebleu_ter_seconds"]
    beside = f"Fergus {ours:.2f} s, jiwer’s WER {jiwer:.2f} s"
    yield Line(
        f"{share}: times as fast as jiwer", jiwer / ours, "{:.1f}", **asked_by(TIMES_JIWER, "times"), beside=beside
    )
    beside = f"sacreBLEU’s TER {ter:,.0f} s"
    yield Line(f"{share}: times as fast as TER", ter / ours, "{:,.0f}", **asked_by(TIMES_TER, "times"), beside=beside)


def parse(record: Record) -> Iterator[Table]:
    """The parser, and what its errors do to tree accuracies."""
    names = ("tokens", "sentences", "words", "upos", "uas", "las")
    columns = {name: (name.upper() if len(name) < 5 else name, "{:.2f}") for name in names}
    columns["words_per_second"] = ("words/s", "{:,.0f}")
    rows = []
    for part in ("text", "tokens"):
        if row := record.get(part):
            rows += [
                (f"from {part}", row),
                *((f"— {n}", row[k]) for k, n in (("at_least", "asked"), ("aim", "aim")) if k in row),
            ]
    if rows:
        yield wide_table("The parser on EWT dev", "", columns, rows, f"F1, {record['sentences']:,} sentences")
    model = record["model"]
    if "megabytes" in model:
        bar = model.get("at_least", {}).get("megabytes")
        yield asked_table("The parser’s file", [Line("MB", model["megabytes"], "{:.1f}", bar, smaller_is_better=True)])
    columns = {
        "gold": ("gold trees", "{:.4f}"),
        "parsed": ("parsed trees", "{:.4f}"),
        "mean_absolute_difference": ("mean |difference|", "{:.4f}"),
        "correlation": ("correlation", "{:.3f}"),
    }
    for effect in record.get("effects", ()):
        note = f"systems are ranked {'alike' if effect['has_same_ranking'] else 'differently'}"
        rows = [(row["system"], row) for row in effect["systems"]]
        yield wide_table(f"{effect['metric'].capitalize()}, gold trees and parsed ones", "system", columns, rows, note)


def studies(record: Record) -> Iterator[Table]:
    """Answers a second beside Potato, and what a killed server loses."""
    # Older records have the loads where the version stands now.
    loads = record.get("loads") or (record["fergus"] if isinstance(record["fergus"], list) else None)
    if loads:
        at_least, aim = loads[0]["at_least"], loads[0]["aim"]
        lines = []
        for limit, asked in ((at_least["p95_ms"], {"at_least": at_least}), (aim["p95_ms"], {"aim": aim})):
            most = max(
                (row["answers_per_second"] for row in loads if row["p95_ms"] <= limit and not row["errors"]), default=0
            )
            asks = {key: NEAR * value["answers_per_second"] for key, value in asked.items()}
            lines.append(Line(f"most answers a second with a p95 of at most {limit:g} ms", most, "{:,.0f}", **asks))
        yield asked_table("Answers a second", lines, f"{record['protocol']['raters']} raters at the same time; "
                          f"asked are {at_least['answers_per_second']} and {aim['answers_per_second']}, less 3%, which "
                          "people who think at random do not offer")  # fmt: skip
        rows = [(f"Fergus, {row['offered']:g}/s offered", row) for row in loads]
        potato = record.get("potato", {})
        for row in potato.get("loads", ()):
            rows.append((f"Potato {potato['version']}, {row['offered']:g}/s offered, {row['label']}", row))
        yield wide_table("Load by load, beside Potato", "", LOAD, rows)
    if one := record.get("kills"):
        lines = [
            Line(f"acknowledged answers {what}", one[what], "{:,}", 0, smaller_is_better=True)
            for what in ("missing", "repeated", "different")
        ]
        note = f"{one['kills']} kills of the server, {one['acknowledged']:,} acknowledged answers"
        yield asked_table("A server that is killed", lines, note)


def analysis(record: Record) -> Iterator[Table]:
    """The report, learned metrics, statistics beside others', simulated studies."""
    found = record["results"]
    if one := found.get("report"):
        lines = [
            Line("fergus analyse, seconds", one["seconds"], "{:.1f}", **asked_by(REPORT, "seconds")),
            Line("peak MB", one["peak_megabytes"], "{:,.0f}"),
        ]
        yield asked_table("The whole report on E2E", lines)
    if rows := found.get("learn"):
        columns = {
            "r": ("r", "{:.3f}"),
            "best_part": ("best part", "{}"),
            "r_of_best_part": ("its r", "{:.3f}"),
            "difference": ("difference", "{:+.3f}"),
            "p": ("p", "{:.3f}"),
        }
        shown = [(row["judgements"], {**row, "verdicts": {"r": "bar"} if row["is_better"] else {}}) for row in rows]
        yield wide_table("A metric learned on E2E, inputs left out", "", columns, shown)
    if rows := found.get("statistics"):
        lines = [
            Line(
                row["what"],
                row["difference"],
                "{:.0e}",
                row["at_most"],
                beside=f"{row['beside']}, {row['figures']:,} figures",
                smaller_is_better=True,
            )
            for row in rows
        ]
        yield asked_table("Statistics: largest difference from others’", lines)
    if rows := found.get("recovery"):
        shown = [(row["quantity"], {**row, "asked": f"{row['low']:.0%} to {row['high']:.0%}",
                  "verdicts": {"share": "bar" if row["low"] <= row["share"] <= row["high"] else "missed"}})
                 for row in rows]  # fmt: skip
        columns = {
            "design": ("design", "{}"),
            "truth": ("truth", "{:.3f}"),
            "share": ("share that holds it", "{:.1%}"),
            "asked": ("asked", "{}"),
        }
        yield wide_table(
            "Simulated studies: 95% intervals and tests", "", columns, shown, f"{rows[0]['n']} of each design"
        )


def cluster(record: Record) -> Iterator[Table]:
    """A cluster of this machine beside one process."""
    columns = {
        "seconds": ("seconds", "{:.1f}"),
        "trees_per_second": ("trees/s", "{:,.0f}"),
        "speed_up": ("speed-up", "{:.2f}"),
        "same": ("same bytes", "{}"),
    }
    rows: list[tuple[str, Any]] = []
    for way, row in record["rows"].items():
        verdicts = {"speed_up": row.get("verdict", ""), "same": "bar" if row["is_same"] else "missed"}
        rows.append((way, {**row, "same": "yes" if row["is_same"] else "no", "verdicts": verdicts}))
    asked: Record = next((row for row in record["rows"].values() if "at_least" in row), {})
    rows += [(f"— {name}", asked[key]) for key, name in (("at_least", "asked"), ("aim", "aim")) if key in asked]
    note = f"{record['trees']:,} trees of EWT, {record['workers']} workers, best of {record['repeats']}"
    yield wide_table("fergus realize on a cluster of this machine", "", columns, rows, note)


def http_api(record: Record) -> Iterator[Table]:
    """Load, a participant beside it, memory over many requests."""
    how = record["protocol"]
    if one := record.get("load"):
        bars = one["at_least"]
        lines = [
            Line("sentences a second", one["sentences_per_second"], "{:,.0f}", bars["sentences_per_second"]),
            Line("p95, ms", one["p95_ms"], "{:,.0f}", bars["p95_ms"], smaller_is_better=True),
            Line("p50, ms", one["p50_ms"], "{:,.0f}"),
            Line("p99, ms", one["p99_ms"], "{:,.0f}"),
        ]
        yield asked_table("POST /api/v1/realize", lines, f"{how['connections']} connections, {how['trees']}")
    if one := record.get("beside"):
        lines = [Line(f"p95, ms, {when.replace('_', ' ')}", ms, "{:.1f}") for when, ms in one.items()]
        yield asked_table("A participant’s page beside the API", lines)
    if one := record.get("soak"):
        name = "growth_after_the_first_tenth"
        most = one.get("at_most", {}).get(name)
        lines = [
            Line("growth of memory after the first tenth", one[name], "{:.1%}", most, smaller_is_better=True),
            Line("MB of all processes at the end", one["megabytes_total"][-1], "{:,.0f}"),
            Line("requests a second", one["per_second"], "{:,.0f}"),
        ]
        yield asked_table("Many requests", lines, f"{one['requests']:,} requests")


READERS: dict[str, tuple[str, Callable[[Record], Iterator[Table]]]] = {
    "realize": ("The realizer beside the papers", realize),
    "complete": ("The whole realizer, and its stages", complete),
    "words": ("Lexical choice", words),
    "rules": ("A rule-based realizer beside it", rules),
    "metrics": ("The metrics", metrics),
    "parse": ("The parser", parse),
    "studies": ("Studies", studies),
    "analysis": ("The analysis", analysis),
    "cluster": ("A cluster", cluster),
    "http_api": ("The HTTP API", http_api),
}
"""By benchmark, in the order of the page."""
