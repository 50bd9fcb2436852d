"""Dependency trees as JSON, nested or flat; JSON lines, one array of trees, or one tree in a file.

Nested: a tree is its root, and a node is an object with its daughters.

    {"form": "saw", "upos": "VERB", "deprel": "root", "feats": {"Tense": "Past"},
     "daughters": [{"form": "I", "id": "i"}, {"form": "her", "id": "h"}],
     "constraints": [{"before": ["i", "h"]}, {"node": "h", "side": "right", "rank": 1}]}

Flat: a tree is a list of nodes; the root's head is null.

    {"nodes": [{"id": "1", "form": "saw", "head": null}, {"id": "2", "form": "I", "head": "1"}]}

Of a node only "form" is needed (or "lemma", where the form is to be made from it), and when flat "id" and
"head". "lemma", "upos", "xpos", "deprel" and "misc" are strings, "feats" is an object of strings, "id" and
"head" are strings or whole numbers; null is the same as nothing. The outermost object may have "constraints"
and "metadata" (an object of strings), and "format", the version of this format, 1 if it is not there. The
order of nodes and daughters has no meaning.

Words to choose from stand in the place of "form" and "lemma"; one that is no object has the weight 1.

    {"alternatives": ["buy", {"word": "purchase", "weight": 2}], "upos": "VERB"}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fergus.core.tree import ROOT, Choice, Constraint, DependencyTree, Node, OrderedTree, structural_fault
from fergus.errors import InputError
from fergus.file_version import check_version
from fergus.treebank.choices import WEIGHT_HINT, Choices
from fergus.treebank.constraints import NamedConstraints
from fergus.treebank.lines import OnError, Results, Source, line_blocks, trees_only

VERSION = 1
"""Of the format; it is not written while it is 1."""
DOCUMENT_LIMIT = 1 << 26
"""The most characters of one array or one object over several lines; JSON lines have no such limit."""

_LABELS = ("lemma", "upos", "xpos", "deprel", "misc")
_NODE_KEYS = frozenset({"id", "form", "feats", "alternatives", *_LABELS})
_TREE_KEYS = frozenset({"constraints", "metadata", "format"})
_CONSTRAINT_KEYS = frozenset({"before", "node", "side", "rank"})
_CHOICE_KEYS = frozenset({"word", "weight"})
_HEAVIEST = 1e300  # whole numbers beyond it are no floats
_DECODER = json.JSONDecoder()


def read_json(source: Source, *, path: str = "", on_error: OnError | None = None) -> Iterator[OrderedTree]:
    """The trees of a JSON stream, in the order of mention, which has no meaning."""
    return trees_only(parse_json(source, path=path), on_error=on_error)


def parse_json(source: Source, *, path: str = "") -> Results:
    """The trees of a JSON stream, with an InputError in the place of every bad one."""
    document: list[str] | None = None
    start, size, empty = 1, 0, True
    for block in line_blocks(source, path=path, remedy="write one tree a line"):
        if isinstance(block, InputError):
            yield block
            return
        for number, line in enumerate(block.lines, block.first):
            if document is not None:
                size += len(line) + 1
                document.append(line)
                if number in block.faults or size > DOCUMENT_LIMIT:
                    problem = f"the document is longer than {DOCUMENT_LIMIT:,} characters"
                    too_long = InputError(problem, path=path, line=number, remedy="write one tree a line")
                    yield block.faults.get(number, too_long)
                    return
            elif line.strip():
                if number in block.faults:
                    yield block.faults[number]
                elif empty and _opens_document(line):
                    document, start, size = [line], number, len(line)
                else:
                    yield from _parse_text(line, path, number)
                empty = False
    if document is not None:
        yield from _parse_text("\n".join(document), path, start)
    elif empty:
        yield InputError("there is no tree in the input", path=path, line=1, remedy='write {"form": "go"}')


def _opens_document(line: str) -> bool:
    """Whether the first line is an array, or the beginning of an object over several lines."""
    if line.lstrip()[0] == "[":
        return True
    try:
        _DECODER.raw_decode(line.strip())
    except json.JSONDecodeError as error:
        # What ends too early goes on in the next line; what is wrong before that is a bad line.
        return not line.strip()[error.pos :].strip()
    except (ValueError, RecursionError):
        return False
    return False


def _parse_text(text: str, path: str, start: int) -> Results:
    """The trees of one object or array; a bad element of an array leaves the others alone."""
    at = _skip_space(text, 0)
    in_array = text[at] == "["
    if in_array:
        at = _skip_space(text, at + 1)
        if text[at : at + 1] == "]":
            yield InputError("the array is empty", path=path, line=start, remedy="put trees into it")
            return
    number, counted = start, 0
    while True:
        number, counted = number + text.count("\n", counted, at), at
        try:
            value, at = _DECODER.raw_decode(text, at)
        except RecursionError:
            yield InputError("the JSON is nested too deeply", path=path, line=number, remedy=_FLAT)
            return
        except json.JSONDecodeError as error:
            problem = f"this is not JSON ({error.msg}, column {error.colno})"
            remedy = 'write an object such as {"form": "go"}'
            yield InputError(problem, path=path, line=start + error.lineno - 1, remedy=remedy)
            return
        except ValueError as error:
            yield InputError(f"this is not JSON ({error})", path=path, line=number, remedy="shorten it")
            return
        yield _tree_or_error(value, path, number)
        at = _skip_space(text, at)
        rest = text[at : at + 1]
        if in_array and rest == ",":
            at = _skip_space(text, at + 1)
            continue
        if in_array and rest == "]":
            at = _skip_space(text, at + 1)
            in_array, rest = False, text[at : at + 1]
        if in_array or rest:
            line = number + text.count("\n", counted, at)
            problem = f'there is "{rest}" after the tree' if rest else "the array has no end"
            yield InputError(problem, path=path, line=line, remedy="write one tree a line, or one array")
        return


_FLAT = 'write deep trees in the flat form, {"nodes": [...]}'


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _tree_or_error(value: Any, path: str, number: int) -> OrderedTree | InputError:
    try:
        tree = tree_from_object(value, source=f"{path}:{number}")
    except InputError as error:
        return InputError(error.problem, path=path, line=number, remedy=error.remedy)
    return OrderedTree(tree, tuple(range(len(tree))))


def tree_from_object(value: Any, *, source: str = "") -> DependencyTree:
    """The tree that decoded JSON describes; InputError if it does not describe one."""
    record = _object(value, "a tree")
    check_version(record.get("format"), what="a tree", newest=VERSION)
    flat = "nodes" in record
    nodes, heads = _flat(record) if flat else _nested(record)
    if fault := structural_fault(heads):
        where = "" if fault.node is None else f"node {_shown(nodes[fault.node])}: "
        raise InputError(where + fault.problem, remedy="give one node the head null, and let all heads lead to it")
    names: dict[str, int] = {}
    for index, node in enumerate(nodes):
        if node.identifier and names.setdefault(node.identifier, index) != index:
            raise InputError(f'two nodes have the id "{node.identifier}"', remedy="give every node its own id")
    constraints = _constraints(record.get("constraints"), names, heads)
    metadata = _mapping(record, "metadata")
    pairs = tuple((str(key), _string(text, f'"{key}"')) for key, text in metadata.items())
    return DependencyTree(tuple(nodes), tuple(heads), constraints, source, pairs)


def _nested(root: Mapping[str, Any]) -> tuple[list[Node], list[int]]:
    nodes: list[Node] = []
    heads: list[int] = []
    stack: list[tuple[Any, int]] = [(root, ROOT)]
    while stack:
        value, head = stack.pop()
        record = _object(value, "a node")
        extra = _TREE_KEYS if head == ROOT else frozenset()
        nodes.append(_node(record, _NODE_KEYS | {"daughters"} | extra))
        heads.append(head)
        daughters = _array(record.get("daughters"), '"daughters"')
        stack += [(daughter, len(nodes) - 1) for daughter in reversed(daughters)]
    return nodes, heads


def _flat(record: Mapping[str, Any]) -> tuple[list[Node], list[int]]:
    _check_keys(record, _TREE_KEYS | {"nodes"})
    records = [_object(value, "a node") for value in _array(record["nodes"], '"nodes"')]
    nodes = [_node(r, _NODE_KEYS | {"head"}) for r in records]
    index = {node.identifier: i for i, node in enumerate(nodes) if node.identifier}
    heads: list[int] = []
    for r, node in zip(records, nodes, strict=True):
        head = _identifier(r.get("head"), '"head"')
        if head and head not in index:
            raise InputError(f'node {_shown(node)}: the head "{head[:40]}" is not the id of a node', remedy=_IDS)
        heads.append(index[head] if head else ROOT)
    return nodes, heads


_IDS = "use the id of another node, or null for the root"


def _node(record: Mapping[str, Any], legal: frozenset[str]) -> Node:
    _check_keys(record, legal)
    alternatives = _alternatives(record)
    is_open = bool(alternatives) or (record.get("form") is None and bool(record.get("lemma")))
    form = "" if is_open else _string(record.get("form"), '"form"')
    if not is_open and form.splitlines() != [form]:
        raise InputError(f"the form {form[:40]!r} is empty or has a line break in it", remedy="write a word")
    labels = {key: _string(record[key], f'"{key}"') for key in _LABELS if record.get(key) is not None}
    feats = _mapping(record, "feats")
    pairs = tuple(sorted((_string(k, "a feature"), _string(v, f'feature "{k}"')) for k, v in feats.items()))
    identifier = _identifier(record.get("id"), '"id"')
    return Node(form, feats=pairs or None, identifier=identifier, alternatives=alternatives, **labels)


def _alternatives(record: Mapping[str, Any]) -> tuple[Choice, ...]:
    if record.get("alternatives") is None:
        return ()
    choices = Choices()
    for item in _array(record["alternatives"], '"alternatives"'):
        choice = {"word": item} if isinstance(item, str) else _object(item, "an alternative")
        _check_keys(choice, _CHOICE_KEYS)
        weight = choice.get("weight", 1)
        if isinstance(weight, bool) or not isinstance(weight, int | float) or abs(weight) > _HEAVIEST:
            raise InputError(f'"weight" is {_kind(weight)} that will not do', remedy=WEIGHT_HINT)
        choices.add(_string(choice.get("word"), '"word"'), float(weight))
    if not choices.found:
        raise InputError('"alternatives" is empty', remedy='give words, or a "form"')
    if record.get("form") not in (None, "") or record.get("lemma") is not None:
        raise InputError('a node has "alternatives" and a "form" or a "lemma"', remedy="leave one or the other out")
    return choices.all


def _constraints(value: Any, names: Mapping[str, int], heads: list[int]) -> tuple[Constraint, ...]:
    named = NamedConstraints()
    for item in _array(value, '"constraints"'):
        record = _object(item, "a constraint")
        _check_keys(record, _CONSTRAINT_KEYS)
        pair = _array(record.get("before"), '"before"')
        if "before" in record:
            first, second = [_identifier(x, '"before"') for x in pair] if len(pair) == 2 else ("", "")
            if first not in names or len(record) > 1:
                remedy = 'write {"before": ["id", "id"]}, first the node that comes first'
                raise InputError(f'"before" names no two nodes: {str(pair)[:60]}', remedy=remedy)
            named.add(names[first], "before", second, number=0)
            continue
        node = _identifier(record.get("node"), '"node"')
        if node not in names:
            remedy = 'write {"node": "id", "side": "left"}'
            raise InputError(f'the constraint names no node: "{node[:40]}"', remedy=remedy)
        for key in ("side", "rank"):
            if record.get(key) is not None:
                named.add(names[node], key, str(record[key]), number=0)
    return named.resolve(names, heads)


def _check_keys(record: Mapping[str, Any], legal: frozenset[str]) -> None:
    if unknown := record.keys() - legal:
        problem = f'"{min(unknown)[:40]}" is no key of this object'
        raise InputError(problem, remedy=f"use {', '.join(sorted(legal))}")


def _object(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{what} is {_kind(value)}", remedy="write an object, {...}")
    return value


def _mapping(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    return {} if record.get(key) is None else _object(record[key], f'"{key}"')


def _array(value: Any, what: str) -> list[Any]:
    if value is not None and not isinstance(value, list):
        raise InputError(f"{what} is {_kind(value)}", remedy="write an array, [...]")
    return value or []


def _string(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{what} is {_kind(value)}", remedy="write a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what} has half a surrogate pair in it", remedy="write whole characters") from None
    return value


def _identifier(value: Any, what: str) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else _string(value, what)


def _kind(value: Any) -> str:
    kinds = {
        type(None): "missing",
        str: "a string",
        list: "an array",
        dict: "an object",
        bool: "a truth value",
    }
    return kinds.get(type(value), "a number")


def _shown(node: Node) -> str:
    return f'"{node.identifier or node.form or node.lemma or node.alternatives[0].word}"'
