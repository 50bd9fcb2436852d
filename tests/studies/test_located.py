"""YAML that knows its lines."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fergus.studies.located import DEEPEST, LARGEST, MOST_VALUES, Listing, Node, Scalar, Table, read_yaml
from fergus.studies.problems import MOST, Problem, Problems, legal, shown


def read(text: str) -> tuple[Node | None, list[Problem]]:
    problems = Problems("a.yaml")
    return read_yaml(text, problems), problems.sorted()


def plain(node: Node | None) -> object:
    """Without places: what YAML's failsafe schema has."""
    if isinstance(node, Table):
        return {key: plain(value) for key, value in node.values.items()}
    return [plain(item) for item in node.items] if isinstance(node, Listing) else node.text if node else None


def test_values_know_their_lines_and_are_not_guessed() -> None:
    node, problems = read("a: no\nb:\n  - 0123\n  - 'null'\nc:\n")
    assert problems == []
    assert isinstance(node, Table)
    assert plain(node) == {"a": "no", "b": ["0123", "null"], "c": ""}
    assert [node.line_of(key) for key in ("a", "b", "c", "nowhere")] == [1, 2, 5, 1]
    listing = node.values["b"]
    assert isinstance(listing, Listing)
    assert [(item.line, item.column) for item in listing.items] == [(3, 5), (4, 5)]
    assert [item.is_null for item in listing.items if isinstance(item, Scalar)] == [False, False]
    assert isinstance(node.values["c"], Scalar)
    assert node.values["c"].is_null


TEXTS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs", "S"]), max_size=12)
TREES = st.recursive(
    TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)


@given(TREES)
def test_what_pyyaml_writes_is_read_back(tree: object) -> None:
    text = yaml.safe_dump(tree, allow_unicode=True, default_style='"')
    node, problems = read(text)
    assert problems == []
    assert plain(node) == tree


def test_an_alias_stands_for_what_was_anchored() -> None:
    node, problems = read("a: &x {b: [1, 2]}\nc: *x\nd: &y text\ne: *y\n")
    assert problems == []
    assert plain(node) == {"a": {"b": ["1", "2"]}, "c": {"b": ["1", "2"]}, "d": "text", "e": "text"}


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "'a' is given twice (before, on line 1)"),
        ("a: 1\n\tb: 2\n", 2, "there is a tab"),
        ("a:\n  b: 1\n\tc: 2\n", 3, "there is a tab"),
        ("a: what: now\n", 1, "there is a colon where YAML expects none"),
        ("a: 1\nb\nc: 2\n", 2, "this line is no key with a value"),
        ('a: "open\nb: 1\n', 1, "a quotation mark is not closed"),
        ("a:\n  - b\n c: 1\n", 3, "this line does not belong to what is above it"),
        ("a: [1, 2\nb: 3\n", 2, "a bracket is not closed, or a comma is missing"),
        ("a: {text: Is it good?, points: 7}\n", 1, "a bracket is not closed, or a comma is missing"),
        ("a: @b\n", 1, "this is not YAML"),
        ("a: 1\n---\nb: 2\n", 2, "a second document begins here"),
        ("a: !!python/object:os.system x\n", 1, "is a tag"),
        ("a: !secret [x]\n", 1, "is a tag"),
        ("a: 1\nb: *x\n", 2, "*x stands for nothing above it"),
        ("a: &x [*x]\n", 1, "*x stands for nothing above it"),
        ("a: 1\nb: \x07\n", 2, "there is a character that YAML does not allow (0x07)"),
        ("? [a]\n: b\n", 1, "a list or mapping is no key"),
        ("[" * (DEEPEST + 1), 1, f"nested more than {DEEPEST} deep"),
        ("a: [" + "b, " * MOST_VALUES + "b]", 1, f"more than {MOST_VALUES:,} values"),
    ],
)
def test_what_is_wrong_has_its_line(text: str, line: int, problem: str) -> None:
    _, problems = read(text)
    assert len(problems) == 1
    assert problems[0].line == line
    assert problem in problems[0].text
    assert problems[0].remedy


def test_aliases_make_no_small_file_large() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    node, problems = read("\n".join(lines))
    assert node is None
    assert "written out, the file has more than" in problems[0].text
    assert problems[0].line == 5  # 10, 110, 1110 and 11110 values are allowed, 111110 are not


def test_a_huge_file_is_not_read() -> None:
    node, problems = read("a" * (LARGEST + 1))
    assert node is None
    assert "1,000,001 characters" in str(problems[0])


def test_other_values_are_kept_beside_a_mistake() -> None:
    node, problems = read("a: 1\na: 2\nb: 3\nb: 4\nc: 5\n")
    assert plain(node) == {"a": "1", "b": "3", "c": "5"}
    assert [problem.line for problem in problems] == [2, 4]


def test_nothing_is_nothing() -> None:
    assert read("") == (None, [])
    assert read("# a comment\n") == (None, [])


def test_problems_are_collected_once_and_not_without_end() -> None:
    problems = Problems("a.csv")
    assert (problems.count, problems.has_errors) == (0, False)
    problems.add("odd", line=3, is_warning=True)
    assert not problems.has_errors
    problems.add("wrong", line=2, column=4, remedy="right it")
    problems.add("wrong", line=2, column=4, remedy="right it")
    assert problems.count == 2
    assert problems.has_errors
    assert [str(problem) for problem in problems.sorted()] == ["a.csv:2:4: wrong; right it", "a.csv:3: odd"]
    for line in range(2 * MOST):
        problems.add("wrong", line=line)
    assert problems.count == MOST


def test_a_misspelt_name_gets_the_closest_one() -> None:
    assert legal("pionts", ["points", "text"]) == "did you mean points? Possible are points, text"
    assert legal("zzz", ["points", "text"]) == "possible are points, text"
    assert legal("x", []) == "there are none"
    assert shown("short") == "'short'"


@pytest.mark.parametrize(
    ("written", "sign"), [("\\ud800", "U+D800"), ("\\0", "U+0000"), ("\\x1b", "U+001B"), ("\\N", "U+0085")]
)
def test_escapes_of_what_cannot_be_stored_are_mistakes(written: str, sign: str) -> None:
    _, problems = read(f'a: 1\nb: ["x", "y{written}"]\n')
    assert [(problem.line, problem.column) for problem in problems] == [(2, 10)]
    assert f"has the character {sign}, which cannot be stored" in str(problems[0])
    assert len(read(f'"k{written}": v\n')[1]) == 1


def test_tabs_and_ends_of_lines_can_be_stored() -> None:
    assert read('a: "x\\ty\\r\\nz"\n')[1] == []
