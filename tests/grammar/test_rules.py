"""Hand-written rules: what they decide, and the errors of their language."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import Node
from fergus.errors import InputError
from fergus.grammar.extract import extract
from fergus.grammar.rule_parser import parse_rules, show
from fergus.grammar.rules import FIELDS, HEAD, PlaceRule, RuleSet, Selector, SisterRule, load_rules
from tests.grammar.trees import DOG, SEES

DOGS = Node("dogs", lemma="dog", upos="NOUN", feats=(("Number", "Plur"),), deprel="nsubj")
THE = Node("The", lemma="the", upos="DET", deprel="det")
BIG = Node("big", lemma="big", upos="ADJ", feats=(("Degree", "Pos"),), deprel="amod")
ONLY = Node("only", upos="ADV")
HERE = Node("here", upos="ADV", deprel="advmod")


def precedences(text: str, mother: Node = DOGS, daughters: tuple[Node, ...] = (THE, BIG, ONLY, HERE)) -> object:
    return parse_rules(text).precedences(mother, daughters)


@pytest.mark.parametrize(
    ("rule", "pairs"),
    [
        ('fix word "the" left of head', [(0, HEAD)]),  # any case
        ("fix category ADJ left of category NOUN", [(1, HEAD)]),
        ("fix category ADJ left of category VERB", []),
        ("fix relation det before relation amod", [(0, 1)]),
        ("fix relation amod after relation det under lemma dog", [(0, 1)]),
        ("fix relation amod after relation det under head", [(0, 1)]),
        ("fix relation det before relation amod under relation obj", []),
        ("forbid category ADV right of category NOUN", [(2, HEAD), (3, HEAD)]),
        ("forbid category ADV left of feature Number=Plur", [(HEAD, 2), (HEAD, 3)]),
        ("forbid relation amod before relation det", [(0, 1)]),
        ("fix category ADV and relation advmod right of head", [(HEAD, 3)]),
        ("fix feature Degree before category ADV", [(1, 2), (1, 3)]),
        ("fix lemma only left of head", []),  # the node has no lemma
        ("fix feature Degree=Sup left of head", []),
        ('fix category ADV before word "only"', [(3, 2)]),  # not before itself
        ('fix category ADV after word "ONLY"   # a comment', [(2, 3)]),
        ("prefer category ADV left of head by 1", []),
        ("# nothing", []),
        ("", []),
    ],
)
def test_hard_rules(rule: str, pairs: list[tuple[int, int]]) -> None:
    assert precedences(rule) == pairs


def test_a_pair_asked_for_in_both_directions_is_none() -> None:
    rule = 'fix category ADV before word "only"'
    assert parse_rules(rule).precedences(DOGS, (ONLY, ONLY)) == []


def test_the_later_rule_wins_also_over_a_chain() -> None:
    assert precedences('fix category ADV left of head\nfix word "only" right of head') == [
        (HEAD, 2),
        (3, HEAD),
    ]
    text = "fix word the before word big\nfix word big before word only\nfix word only before word the"
    assert precedences(text) == [(1, 2), (2, 0)]
    # Through the head: the < head < big; "big before the" came earlier and gives way.
    text = "fix word big before word the\nfix word the left of head\nfix word big right of head"
    assert precedences(text) == [(HEAD, 1), (0, HEAD)]


def test_sides_and_places() -> None:
    rules = parse_rules('fix word "only" right of head rank 1\nforbid category DET right of head')
    daughters = (THE, BIG, ONLY, HERE)
    assert rules.forbidden(DOGS, daughters) == [(0, "right"), (2, "left")]
    assert rules.places(DOGS, daughters) == [(2, "right", 1)]
    # Two daughters for one place: the first in the list has it.
    assert parse_rules("fix category ADV left of category NOUN rank 2").places(DOGS, daughters) == [(2, "left", 2)]
    assert parse_rules("fix category ADV left of category VERB rank 2").places(DOGS, daughters) == []
    # A later rule about the side undoes the place.
    undone = 'fix category ADV left of head rank 1\nfix word "only" right of head\nfix word "here" right of head'
    assert parse_rules(undone).places(DOGS, daughters) == []


def test_soft_rules_add_up() -> None:
    rules = parse_rules(
        'prefer category ADV left of head by 0.5\nprefer word "only" left of head by 2\n'
        "prefer relation advmod before relation amod by -1.5"
    )
    assert rules.weights(DOGS, (THE, BIG, ONLY, HERE)) == {(2, HEAD): 2.5, (3, HEAD): 0.5, (3, 1): -1.5}
    assert list(rules.weights(DOGS, (THE, BIG, ONLY, HERE))) == [(2, HEAD), (3, HEAD), (3, 1)]


def test_trees_are_added() -> None:
    rules = parse_rules('add tree "g.ADV(* obl)" for word "only" and word "just"\nadd tree g.DET\nadd tree g.ADJ')
    grammar = rules.extend(extract([DOG, SEES]).grammar)
    assert grammar.by_word("just") == {"g.ADV(* obl)": 1}
    assert grammar.tree("g.ADV(* obl)").kind == "gamma"
    assert grammar.by_word("old") == {"g.ADJ": 1}
    assert rules.extend(grammar) == grammar
    assert sum(p.probability for p in grammar.positions("g.ADV(* obl)", "a.VERB(nsubj *)")) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("frobnicate", "r:1:1: 'frobnicate' is no keyword here; expected one of fix, forbid, prefer, add"),
        (
            "\n  fix colour red left of head",
            "r:2:7: 'colour' is no keyword here; expected one of word, lemma, category",
        ),
        ("fix", "r:1:4: the rule ends too soon; expected one of word, lemma"),
        ("fix word", "r:1:9: the rule ends too soon; expected a word"),
        ('fix word ""  left of head', "r:1:10: an empty word"),
        ('fix word "a left of head', "r:1:10: a quotation mark that is not closed"),
        (
            "fix word a beside head",
            "r:1:12: 'beside' is no keyword here; expected one of left, right, before, after",
        ),
        ("fix word a left head", "r:1:17: 'head' is no keyword here; expected of"),
        (
            "fix word a left of house",
            "r:1:20: 'house' is no keyword.*word, lemma, category, relation, feature, head",
        ),
        ("fix word a left of head rank one", "r:1:30: 'one' is no rank"),
        ("fix word a left of head rank 0", "r:1:30: '0' is no rank"),
        ("fix word a left of head twice", "r:1:25: 'twice' is too much; expected the end of the line"),
        ("forbid word a left of head rank 1", "r:1:28: 'rank' is too much"),
        ("prefer word a left of head", "r:1:27: the rule ends too soon; expected by"),
        ("prefer word a left of head by inf", "r:1:31: 'inf' is no number"),
        ("fix word a before word A", "r:1:5: a rule that orders nodes before themselves"),
        ("add leaf g.X", "r:1:5: 'leaf' is no keyword here; expected tree"),
        ("add tree betaDnx", "r:1:10: 'betaDnx' is no tree"),
        ('add tree g.X to word "a"', "r:1:14: 'to' is too much; expected for or the end of the line"),
        ('add tree g.X for word "a" or', "r:1:27: 'or' is too much; expected the end"),
        (
            "fix word a left of head\nfix word a right of head",
            "r:2:1: this rule contradicts the one on line 1",
        ),
        ("fix word a left of head\nforbid word a left of head", "r:2:1: this rule contradicts"),
        ("fix word a left of head rank 1\nfix word a left of head rank 2", "r:2:1: this rule contradicts"),
        (
            "fix word a before word b\n\nfix word b before word a",
            "r:3:1: this rule contradicts the one on line 1",
        ),
        (
            'fix word a and lemma b before word b\nfix lemma b and word "A" after word b',
            "r:2:1: this rule contradicts",
        ),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_rules(text, path="r")


def test_rules_that_do_not_contradict() -> None:
    parse_rules(
        "fix word a left of head\nprefer word a right of head by 1\nfix word a left of head rank 1\n"
        "fix word a before word b\nfix word b before word a under word c\nfix word a left of head"
    )


def test_a_file_of_rules(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_bytes('# Grüße\r\nfix word "über" left of head\r\n'.encode())
    assert load_rules(path).precedences(DOGS, (Node("Über"),)) == [(0, HEAD)]
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8: byte 0"):
        load_rules(path)
    with pytest.raises(InputError, match="cannot be read"):
        load_rules(tmp_path / "none")


values = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), min_size=1, max_size=5)
selectors = st.lists(st.tuples(st.sampled_from(FIELDS), values), min_size=1, max_size=2).map(
    lambda tests: Selector(tuple(sorted({(f, v.casefold() if f in ("word", "lemma") else v) for f, v in tests})))
)
weights = st.none() | st.integers(-80, 80).map(lambda n: n / 8)
place_rules = st.builds(
    PlaceRule,
    selectors,
    st.sampled_from(["left", "right"]),
    selectors | st.just(Selector()),
    st.none() | st.integers(1, 9),
)
sister_rules = st.builds(SisterRule, selectors, selectors, selectors | st.just(Selector()), weights).filter(
    lambda rule: rule.first != rule.second
)


@given(place_rules | sister_rules)
def test_rules_read_back(rule: PlaceRule | SisterRule) -> None:
    text = show([rule])
    assert show(parse_rules(text).rules) == text
    assert len(parse_rules(text).rules) == 1


def test_selectors_are_shown() -> None:
    assert str(parse_rules("fix word a and category B left of head").rules[0].head) == "head"
    rule = parse_rules("fix word a and category B left of head").rules[0]
    assert isinstance(rule, PlaceRule)
    assert str(rule.daughter) == 'category B and word "a"'


node_lists = st.lists(st.builds(Node, st.sampled_from("abc"), upos=st.sampled_from([None, "X", "Y"])), max_size=6)
small = st.builds(lambda f, v: Selector(((f, v),)), st.just("word"), st.sampled_from("abc")) | st.builds(
    lambda v: Selector((("category", v),)), st.sampled_from("XY")
)
small_rules = st.lists(
    st.builds(PlaceRule, small, st.sampled_from(["left", "right"]), st.just(Selector()))
    | st.builds(SisterRule, small, small, st.just(Selector())),
    max_size=6,
)


@given(small_rules, node_lists)
def test_precedences_never_form_a_cycle(rules: list[PlaceRule | SisterRule], daughters: list[Node]) -> None:
    found = RuleSet(tuple(rules)).precedences(DOGS, daughters)
    left = set(found)
    items = {HEAD, *range(len(daughters))}
    while items:  # take away an item nothing comes before, as long as there is one
        free = items - {second for _, second in left}
        assert free
        items -= free
        left = {pair for pair in left if pair[0] in items}
