from __future__ import annotations

import json
import os
import re
import subprocess
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from importlib import resources
from io import BytesIO
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import ROOT, OrderedTree
from fergus.errors import InputError
from fergus.evaluation.html_report import CHUNK, html_report, to_json, write_html
from fergus.evaluation.report_payload import columns, overview, sentences
from fergus.evaluation.result import Evaluation, SystemResult
from fergus.metrics.base import CorpusScore, Metric
from fergus.metrics.segment import Batch, Segment, Sentence
from fergus.metrics.significance import Comparison, Interval
from fergus.metrics.string_accuracy import GenerationStringAccuracy, SimpleStringAccuracy
from fergus.metrics.tree_accuracy import GenerationTreeAccuracy
from fergus.treebank import read_conllu
from tests.chromium import ARGUMENTS, chromium
from tests.metrics.example import GENERATED, TARGET, TREE, tree_of

METRICS = (SimpleStringAccuracy(), GenerationStringAccuracy(), GenerationTreeAccuracy())
REFERENCE = Sentence(tuple(TARGET), TREE)


def words(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


def result(name: str, segments: Sequence[Segment], metrics: Sequence[Metric] = METRICS) -> SystemResult:
    batch = Batch(segments)
    pairs = metrics[0].chosen_pairs(batch)  # type: ignore[attr-defined]
    statistics = {metric.name: metric.statistics(batch) for metric in metrics}
    return SystemResult(
        name=name,
        statistics=statistics,
        scores={metric.name: metric.scores(statistics[metric.name], pooled=False) for metric in metrics},
        corpus={metric.name: metric.aggregate(statistics[metric.name]) for metric in metrics},
        counts=batch.string_counts[pairs],
        tree_counts=batch.tree_counts[pairs],
        lengths=np.array([len(segment.hypothesis.tokens) for segment in segments]),
        chosen=pairs - batch.first_pairs,
        segments=segments,
    )


def evaluation(
    systems: dict[str, list[Segment]], *, comparisons: Sequence[Comparison] = (), metrics: Sequence[Metric] = METRICS
) -> Evaluation:
    results = [result(name, segments, metrics) for name, segments in systems.items()]
    identifiers = [segment.identifier for segment in next(iter(systems.values()))]
    return Evaluation(metrics, results, identifiers, {"tokenisation": "spaces", "seed": "1"}, comparisons)


EXAMPLE = {
    "baseline": [
        Segment(Sentence(tuple(GENERATED)), (REFERENCE,), "wsj-1"),
        Segment(words("b a"), (words("a b"),), "2"),
    ],
    "perfect": [Segment(Sentence(tuple(TARGET)), (REFERENCE,), "wsj-1"), Segment(words("a b"), (words("a b"),), "2")],
}


class Page(HTMLParser):
    """The elements of a page, and the text of every script by its id."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str | None, str] = {}
        self.text: list[str] = []
        self._script: str | None = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._script = dict(attrs).get("id", tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._script = ""

    def handle_data(self, data: str) -> None:
        if self._script == "":
            self.text.append(data)
        else:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data

    def having(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of the elements of this class, or of this tag."""
        return [a for tag, a in self.elements if tag == name or name in (a.get("class") or "").split()]


def test_the_example_of_the_paper_is_written_as_the_paper_writes_it():
    first, second = sentences(evaluation(EXAMPLE), 0, 2)
    # There was no cost estimate for       the second    phase
    # There was         estimate for phase the second no cost     no moves from place 2 to place 7
    target = " ".join(TARGET)
    heads = (4, 4, 4, 4, ROOT, 4, 8, 8, 5)
    treelets = [
        [4, "..dd..ii", [2, 4, 3, 5]],  # There was no cost estimate for -> There was estimate for no cost
        [8, "i..d", [2, 0]],  # the second phase -> phase the second
    ]
    baseline = [0, " ".join(GENERATED), "..dd..i..is", [2, 7], [0, 1, 4, 5, 8, 6, 7, 2, 3], treelets]
    assert first == ["wsj-1", 1, [[target, heads, 0, 1]], [baseline, [0]]]
    assert second[3] == [[0, "b a", "d.i", [0, 1], [], []], [0]]


def assert_shown_is_counted(given: Evaluation) -> None:
    """What is drawn, counted again, is what the scores were made of."""
    size = len(given.identifiers)
    table = columns(given)
    for row, (_, _, _, systems) in enumerate(sentences(given, 0, size)):
        for system, (_, *entry) in enumerate(systems):
            _, operations, moves, places, treelets = entry or ["", "", [], [], []]
            string = [operations.count(letter) for letter in "sid"] + [len(moves) // 2]
            assert string == [column[row] for column in table["counts"][system][:4]]
            tree = [sum(steps.count(letter) for _, steps, _ in treelets) for letter in "sid"]
            tree.append(sum(len(treelet_moves) // 2 for _, _, treelet_moves in treelets))
            tree[1] += places.count(-1)
            counted = [column[row] for column in table["treeCounts"][system]]
            assert counted in (tree, [-1, -1, -1, -1])


@st.composite
def segments(draw: st.DrawFn) -> Segment:
    size = draw(st.integers(1, 6))
    forms = draw(st.lists(st.sampled_from("abc"), min_size=size, max_size=size))
    heads = [ROOT, *(draw(st.integers(0, node - 1)) for node in range(1, size))]
    tree = tree_of(forms, heads)
    tokens = draw(st.lists(st.sampled_from("abcx"), max_size=7) | st.permutations(forms))
    references = [Sentence(tuple(forms), tree)]
    if draw(st.booleans()):
        references.append(Sentence(tuple(draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=5)))))
    return Segment(Sentence(tuple(tokens)), tuple(references), "s")


@given(st.lists(segments(), min_size=1, max_size=4))
def test_operations_shown_add_up_to_the_counts(given_segments: list[Segment]):
    assert_shown_is_counted(evaluation({"system": given_segments}))


@pytest.mark.data
def test_operations_shown_add_up_to_the_counts_on_a_treebank(data_dir: Path):
    random = Random(3)
    found: list[Segment] = []
    with open(data_dir / "ud" / "en_ewt-dev.conllu", encoding="utf-8") as stream:
        for number, tree in zip(range(200), read_conllu(stream), strict=False):
            assert isinstance(tree, OrderedTree)
            tokens = list(tree.forms)
            for _ in range(random.randrange(4)):
                tokens.insert(random.randrange(len(tokens)), tokens.pop(random.randrange(len(tokens))))
            found.append(Segment(Sentence(tuple(tokens)), (Sentence(tree.forms, tree),), str(number)))
    assert_shown_is_counted(evaluation({"system": found}))


def test_identifiers_of_nodes_decide_which_equal_word_is_which():
    # The second a of "a b a" stands under b, the first under the second; told apart, they have changed places.
    tree = tree_of(["a", "b", "a"], [2, ROOT, 1])
    nodes = tuple(node.__class__(node.form, identifier=str(i)) for i, node in enumerate(tree.tree.nodes))
    named = OrderedTree(tree.tree.__class__(nodes, tree.tree.heads), tree.order)
    hypothesis = Sentence(("a", "b", "a"), nodes=("2", "1", ""))
    given = evaluation({"s": [Segment(hypothesis, (Sentence(("a", "b", "a"), named),), "1")]})
    assert sentences(given, 0, 1)[0][3][0][1:5] == ["a b a", "...", [], [2, 1, -1]]
    assert_shown_is_counted(given)


def test_several_references_and_the_one_that_was_chosen():
    both = (words("a b c"), Sentence(("x", "y"), tree_of(["x", "y"], [1, ROOT])))
    given = evaluation({"one": [Segment(words("a c"), both, "1")], "two": [Segment(words("x y z"), both, "1")]})
    [(_, count, references, systems)] = sentences(given, 0, 1)
    assert count == 2
    assert references == [["a b c", 0, 0, 1], ["x y", (1, ROOT), 0, 2]]
    assert [system[0] for system in systems] == [0, 1]
    assert systems[0] == [0, "a c", ".d.", [], [], []]


def test_tokens_with_spaces_and_empty_ones_travel_as_lists():
    given = evaluation({"s": [Segment(Sentence(("10 000", "")), (Sentence(("10 000",)),), "1")]})
    [(_, _, [reference], [system])] = sentences(given, 0, 1)
    assert reference[0] == ["10 000"]
    assert system[1] == ["10 000", ""]


def test_an_empty_hypothesis_is_shown():
    given = evaluation({"s": [Segment(Sentence(()), (REFERENCE,), "1")]})
    [(_, _, _, [system])] = sentences(given, 0, 1)
    assert system[1:5] == [[], "d" * 9, [], []]
    assert_shown_is_counted(given)


def test_undefined_scores_are_null():
    table = columns(evaluation(EXAMPLE))
    # Table 1 of the paper, tree accuracy: 1 - 3 / 9; the second sentence has no tree.
    assert table["scores"][0][2] == [6667, None]
    assert table["scores"][0][0] == [4444, 0]
    assert table["treeCounts"][0] == [[0, -1], [3, -1], [3, -1], [3, -1]]


def compared(p: float, *, first: str = "baseline", second: str = "perfect") -> list[Comparison]:
    return [Comparison(m.name, "mean", first, second, -0.5, Interval(-0.7, -0.3), p, p, p, p) for m in METRICS]


@pytest.mark.parametrize(
    ("comparisons", "significant"),
    [((), None), (compared(0.01), True), (compared(0.2), False)],
    ids=["untested", "yes", "no"],
)
def test_the_best_system_is_better_only_where_that_is_significant(comparisons: Sequence[Comparison], significant):
    shown = overview(evaluation(EXAMPLE, comparisons=comparisons))
    assert shown["best"] == [{"system": 1, "significant": significant}] * 3
    assert len(shown["comparisons"]) == len(comparisons)


def test_neither_equal_systems_nor_a_single_one_are_best():
    assert overview(evaluation({"a": EXAMPLE["perfect"], "b": EXAMPLE["perfect"]}))["best"] == [None] * 3
    assert overview(evaluation({"a": EXAMPLE["perfect"]}))["best"] == [None] * 3


class Errors(SimpleStringAccuracy):
    name, title, abbreviation, higher_is_better = "errors", "Errors", "E", False

    def scores(self, statistics: np.ndarray, *, pooled: bool) -> np.ndarray:
        return 1 - super().scores(statistics, pooled=pooled)


def test_the_lowest_is_best_where_lower_is_better_and_intervals_are_kept():
    given = evaluation(EXAMPLE, metrics=(Errors(),))
    assert overview(given)["best"] == [{"system": 1, "significant": None}]
    score = CorpusScore("errors", None, None, float("nan"), 2, 2, "s", Interval(0.1, 0.2))
    systems = [replace(given.systems[0], corpus={"errors": score}), given.systems[0]]
    shown = overview(Evaluation(given.metrics, systems, ["1", "2"], {}))
    assert shown["corpus"][0][0] == {
        "mean": None,
        "pooled": None,
        "meanInterval": [0.1, 0.2],
        "pooledInterval": None,
        "missing": 2,
        "signature": "s",
    }
    assert overview(Evaluation(METRICS, systems, ["1", "2"], {}))["corpus"][0] == [None] * 3


def test_sentences_that_were_not_kept_are_an_error():
    given = evaluation(EXAMPLE)
    bare = replace(given.systems[0], name="bare", segments=())
    with pytest.raises(InputError, match="'bare' has 0 sentences kept of 2; keep the sentences"):
        html_report(Evaluation(METRICS, [bare], given.identifiers, {}))


HOSTILE = [
    "</script><script>alert(1)</script>",
    "<b>",
    "&amp;",
    "\u2028",
    "\u2029",
    "<!--",
    "\ud800",
    "{{script}}",
    "\x00",
    '"',
    "]]>",
]
NAME = "<img src=x onerror=\"document.documentElement.dataset.error='injected'\">"


def hostile(tokens: list[str]) -> Evaluation:
    sentence = Sentence(tuple(tokens), tree_of(tokens, [ROOT] + [0] * (len(tokens) - 1)))
    turned = Sentence(tuple(reversed(tokens)))
    return evaluation({NAME: [Segment(turned, (sentence,), NAME)], "{{data}}": [Segment(sentence, (sentence,), NAME)]})


def test_nothing_in_the_data_can_leave_its_script_element():
    page = html_report(hostile(HOSTILE), title=NAME + "{{script}}</title>", command=NAME)
    parsed = Page(page)
    assert [tag for tag, _ in parsed.elements].count("script") == 4  # head, the program, columns, one of sentences
    assert not parsed.having("img")
    assert not parsed.having("b")
    for name in ("head", "columns", "sentences-0"):
        text = parsed.scripts[name]
        assert not re.search("[<>&\u2028\u2029]", text)
    [[identifier, _, [[tokens, *_]], _]] = json.loads(parsed.scripts["sentences-0"])
    assert identifier == NAME
    assert tokens.split(" ") == HOSTILE
    assert json.loads(parsed.scripts["head"])["command"] == NAME


@given(st.recursive(st.text() | st.integers() | st.none(), st.lists))
def test_escaped_json_is_the_same_json(value):
    assert json.loads(to_json(value)) == value


def test_the_page_asks_for_nothing_and_lets_no_other_script_run():
    page = html_report(evaluation(EXAMPLE), date="2001-07-01")
    parsed = Page(page)
    assert not re.search(r"""(src|href)\s*=\s*["']?\s*(https?:)?//""", page)
    assert "@import" not in page
    assert "url(" not in page
    for tag, attributes in parsed.elements:
        assert "src" not in attributes
        assert tag != "link" or attributes["href"] == "data:,"
        assert not any(name.startswith("on") for name in attributes)
        assert "style" not in attributes
    [policy] = [a["content"] for _, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy"]
    for name in ("script", "style"):
        digest = b64encode(sha256(parsed.scripts[name].encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in (policy or "")
    assert "innerHTML" not in page
    assert "insertAdjacent" not in page
    assert json.loads(parsed.scripts["head"])["date"] == "2001-07-01"


def test_every_template_is_part_of_the_page():
    page = html_report(evaluation(EXAMPLE))
    for template in resources.files("fergus.evaluation").joinpath("templates").iterdir():
        assert template.name == "report.html" or template.read_text("utf-8") in page
    assert "{{" not in page


def test_long_evaluations_are_written_in_pieces():
    many = [Segment(words("b a"), (words("a b"),), str(i)) for i in range(CHUNK + 1)]
    target = BytesIO()
    write_html(evaluation({"s": many}), target)
    scripts = Page(target.getvalue().decode()).scripts
    assert len(json.loads(scripts["sentences-0"])) == CHUNK
    assert len(json.loads(scripts["sentences-1"])) == 1
    assert len(target.getvalue()) < 120_000 + 1000 * len(many)


def test_an_evaluation_of_nothing_is_a_page_all_the_same():
    nothing = np.zeros((0, 5), np.int64)
    system = replace(evaluation(EXAMPLE).systems[0], counts=nothing, tree_counts=nothing, segments=(), scores={})
    scripts = Page(html_report(Evaluation((), [system], [], {}))).scripts
    assert json.loads(scripts["columns"]) == {"scores": [[]], "counts": [[[]] * 5], "treeCounts": [[[]] * 4]}


def opened(page: str, folder: Path) -> Page:
    """The page as a browser shows it."""
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    options = ["--headless", *ARGUMENTS, f"--user-data-dir={folder / 'profile'}"]
    options += ["--virtual-time-budget=5000", "--window-size=1000,800", "--dump-dom", path.as_uri()]
    environment = {**os.environ, "HOME": str(folder)}
    ran = subprocess.run([chromium(), *options], capture_output=True, timeout=60, check=True, env=environment)
    return Page(ran.stdout.decode())


def test_a_browser_draws_what_was_counted(tmp_path: Path):
    page = opened(html_report(evaluation(EXAMPLE, comparisons=compared(0.01)), title="A report"), tmp_path)
    [root] = page.having("html")
    assert "data-error" not in root
    assert root["data-ready"] == "true"
    assert len(page.having("sentence")) == 2
    drawn = Counter(a["data-operation"] for a in page.having("g") if "data-operation" in a)
    # Example (2), "..dd..i..is", and "d.i" of the second sentence; four samples in the legend.
    legend = Counter({"d": 2, "i": 1, "s": 1})
    assert drawn - legend == Counter({".": 6 + 1, "d": 2 + 1, "i": 2 + 1, "s": 1})
    assert len(page.having("move")) == 2
    assert len(page.having("rail")) == 2 + 1  # and one in the legend
    assert len(page.having("best")) == 3
    text = "".join(page.text)
    assert "the second phase → phase the second (1 move)" in text
    assert "There was no cost estimate for → There was estimate for no cost (2 moves)" in text
    assert "tokensS 1I 2D 2M 1R 9treeletsS 0I 3D 3M 3" in text
    assert "perfect is better" in text


def test_a_browser_shows_hostile_tokens_as_text(tmp_path: Path):
    # Half of a surrogate pair has no UTF-8, in which the browser is asked to write what it shows.
    page = opened(html_report(hostile([token for token in HOSTILE if token != "\ud800"]), title=NAME), tmp_path)
    [root] = page.having("html")
    assert "data-error" not in root
    assert root["data-ready"] == "true"
    assert not page.having("img")
    assert "".join(page.text).count(NAME) >= 4
    assert HOSTILE[0] in "".join(page.text)
