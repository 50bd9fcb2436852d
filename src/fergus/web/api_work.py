"""The API's pieces of work: JSON in, JSON out, so that the server's own process has next to nothing to do.

A batch is realized in pieces of a fraction of a second. What is left goes back to the end of the queue, and so
somebody with a single tree need not wait for somebody with thousands.
"""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from fergus.core.tree import OrderedTree
from fergus.errors import FergusError, InputError
from fergus.web.api_records.evaluate import EvaluateRequest
from fergus.web.api_records.explain import ExplainRequest
from fergus.web.api_records.parse import ParseRequest
from fergus.web.api_records.realize import RealizeRequest
from fergus.web.engine_limits import LimitError, Limits
from fergus.web.engine_work import (
    How,
    checked,
    evaluate_sentences,
    explain_tree,
    parse_sentences,
    read_trees,
    realize_tree,
)
from fergus.web.engine_worker import Loaded
from fergus.web.faults import NotJsonError, fault_of
from fergus.web.schema import Fault, InvalidError
from fergus.web.schema_reading import MOST_FAULTS, read

T = TypeVar("T")
PIECE_S = 0.1
"""After this long a worker lets others through."""


@dataclass(frozen=True)
class Piece:
    """A part of the answer."""

    head: str
    """What the answer begins with, before its sentences."""
    sentences: bytes
    """JSON objects, one a line."""
    rest: bytes = b""
    """What is left to do; only a worker reads it."""


def request_of(record: type[T], body: bytes) -> T:
    """The request in a body; raises NotJsonError and InvalidError."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise NotJsonError(f"byte {error.start} of the body is not valid UTF-8") from None
    except json.JSONDecodeError as error:
        raise NotJsonError(f"{error.msg}, line {error.lineno}, column {error.colno} of the body") from None
    except ValueError as error:
        raise NotJsonError(str(error)) from None
    except RecursionError:
        raise NotJsonError("the body is nested too deeply; trees can be written flat") from None
    return read(record, value)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


@dataclass(frozen=True)
class _Batch:
    """Trees that are yet to be realized, with their numbers."""

    items: Sequence[tuple[int, OrderedTree | InputError]]
    how: How
    conllu: bool
    keep_going: bool
    head: str


def begin_realizing(loaded: Loaded, body: bytes, keeps_going: bool, limits: Limits) -> Piece:
    """Read a request for sentences, and make the first of them; ``keeps_going``: even if it does not say so."""
    request = request_of(RealizeRequest, body)
    model = request.model or loaded.default
    items = _trees(request, limits)
    keep_going = keeps_going or request.keep_going
    wrong = [fault_of(item) for item in items if isinstance(item, InputError)]
    if wrong and not keep_going:
        raise InvalidError(tuple(wrong[:MOST_FAULTS]))
    loaded.realizer(model, request.preset)  # an unknown model is everybody's fault, not the first tree's
    stages = None if request.stages is None else tuple(request.stages)
    how = How(model, request.preset, stages, request.bare, request.nbest)
    head = json.dumps({"model": model, "preset": request.preset}, ensure_ascii=False)
    return _realize(loaded, _Batch(list(enumerate(items)), how, request.conllu, keep_going, head))


def go_on_realizing(loaded: Loaded, rest: bytes) -> Piece:
    """Make some more sentences of a batch."""
    return _realize(loaded, pickle.loads(rest))


def _trees(request: RealizeRequest, limits: Limits) -> list[OrderedTree | InputError]:
    if isinstance(request.trees, str):
        return read_trees(request.trees, request.format, limits)
    if len(request.trees) > limits.trees:
        raise LimitError(f"there are more than {limits.trees:,} trees; send them in several requests", "trees")
    return [_tree(value, f"trees[{number}]", request.format, limits) for number, value in enumerate(request.trees)]


def _tree(value: object, where: str, input_format: str, limits: Limits) -> OrderedTree | InputError:
    from dataclasses import replace

    from fergus.treebank.jsontree import tree_from_object

    if isinstance(value, str):
        found = read_trees(value, input_format, limits)
        if len(found) != 1:
            return InputError(f"there are {len(found)} trees", path=where, remedy="give one tree in an entry")
        if isinstance(found[0], InputError):
            return InputError(found[0].problem, path=where, line=found[0].line, remedy=found[0].remedy)
        return replace(found[0], tree=replace(found[0].tree, source=where))
    try:
        tree = tree_from_object(value, source=where)
    except InputError as error:
        return InputError(error.problem, path=where, remedy=error.remedy)
    return checked(OrderedTree(tree, tuple(range(len(tree)))), limits)


def _realize(loaded: Loaded, batch: _Batch) -> Piece:
    until = time.monotonic() + PIECE_S
    lines = []
    for place, (number, item) in enumerate(batch.items):
        lines.append(json.dumps(_sentence(loaded, number, item, batch), ensure_ascii=False))
        if time.monotonic() > until and place + 1 < len(batch.items):
            rest = _Batch(batch.items[place + 1 :], batch.how, batch.conllu, batch.keep_going, batch.head)
            return Piece(batch.head, _encoded(lines), pickle.dumps(rest))
    return Piece(batch.head, _encoded(lines))


def _sentence(loaded: Loaded, number: int, item: OrderedTree | InputError, batch: _Batch) -> dict[str, Any]:
    from fergus.exchange.rendering import as_conllu, as_record

    if isinstance(item, InputError):
        return _failed(fault_of(item), item.path + (f":{item.line}" if item.line is not None else ""))
    source = item.tree.source
    try:
        found = realize_tree(loaded, item.tree, batch.how)
    except FergusError as error:
        fault = fault_of(error, source if source.startswith("trees") else f"trees[{number}]")
        if batch.keep_going:
            return _failed(fault, source)
        raise InvalidError((fault,)) from None
    realization, write = found.realization, loaded.realizer(batch.how.model, batch.how.preset).text
    record = as_record(realization, batch.how.nbest, write)
    if batch.conllu:
        record["conllu"] = as_conllu(realization, batch.how.nbest, write)
    return record


def _failed(fault: Fault, source: str) -> dict[str, Any]:
    return {"source": source, "error": {name: value for name, value in vars(fault).items() if value is not None}}


def _encoded(lines: Sequence[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode("utf-8", "replace")


def explain(loaded: Loaded, body: bytes, limits: Limits) -> bytes:
    """The answer to a request for reasons."""
    from fergus.exchange.explanation import as_object

    request = request_of(ExplainRequest, body)
    item = _tree(request.tree, "tree", request.format, limits)
    if isinstance(item, InputError):
        raise InvalidError((fault_of(item),))
    stages = None if request.stages is None else tuple(request.stages)
    how = How(request.model or loaded.default, request.preset, stages, request.bare)
    loaded.realizer(how.model, how.preset)  # an unknown model is not the tree's fault
    try:
        found, text = explain_tree(loaded, item.tree, how)
    except FergusError as error:
        raise InvalidError((fault_of(error, "tree"),)) from None
    return json.dumps({"text": text, **as_object(found)}, ensure_ascii=False).encode("utf-8", "replace")


def parse(loaded: Loaded, body: bytes, limits: Limits) -> bytes:
    """The answer to a request for trees."""
    from fergus.exchange.written_trees import writer

    request = request_of(ParseRequest, body)
    trees = parse_sentences(loaded, request.text, request.input, request.parser, limits)
    write = writer(request.output)
    sentences = []
    for number, item in enumerate(trees, 1):
        record: dict[str, Any] = {"tokens": list(item.forms)}
        written = write(item, number)
        if request.output == "json":
            record["tree"] = json.loads(written)
        elif request.output != "tokens":
            record[request.output] = written.removesuffix("\n") if request.output == "notation" else written
        sentences.append(record)
    answer = {"parser": loaded.parser(request.parser).signature, "sentences": sentences}
    return json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace")


def evaluate(loaded: Loaded, body: bytes, limits: Limits) -> bytes:
    """The answer to a request for scores."""
    from fergus.evaluation.json_report import json_pieces

    request = request_of(EvaluateRequest, body)
    references: list[Sequence[str | OrderedTree]] = [*(request.references or ())]
    if request.conllu is not None:
        references.append(_reference_trees(request.conllu, limits))
    if not references:
        raise InvalidError((Fault("references", "is missing", remedy="give references, or conllu"),))
    found = evaluate_sentences(
        loaded,
        request.systems,
        references,
        request.metrics,
        request.tokenize,
        request.lowercase,
        request.parser,
        request.samples,
        request.seed,
        request.compare,
        limits,
    )
    written = "".join(json_pieces(found))
    if not request.per_sentence:
        document = json.loads(written)
        for system in document["systems"]:
            system["sentences"] = []
        written = json.dumps(document, ensure_ascii=False)
    return written.encode("utf-8", "replace")


def _reference_trees(text: str, limits: Limits) -> list[OrderedTree]:
    from dataclasses import replace

    trees, wrong = [], []
    for item in read_trees(text, "conllu", replace(limits, trees=limits.sentences)):
        if isinstance(item, InputError):
            wrong.append(fault_of(InputError(item.problem, path="conllu", line=item.line, remedy=item.remedy)))
        else:
            trees.append(item)
    if wrong:
        raise InvalidError(tuple(wrong[:MOST_FAULTS]))
    return trees


def models(loaded: Loaded) -> bytes:
    """The models and parsers of the server; of models only their headers are read."""
    from fergus.realize.pipeline import PRESETS
    from fergus.treebank.parse import shipped_parsers

    described: list[dict[str, Any]] = []
    for name in loaded.names:
        try:
            model = loaded.model_file(name)
            treebanks = [str(source["treebank"]) for source in model.header.get("treebanks", ())]
        except (FergusError, LookupError, TypeError) as error:  # it is listed: those who ask for it are told the same
            words = str(error) if isinstance(error, FergusError) else f"{name}: the header of the model is broken"
            described.append({"name": name, "error": words})
            continue
        described.append(
            {
                "name": name,
                "language": str(model.header.get("language", "und")),
                "treebanks": treebanks,
                "attribution": str(model.header.get("attribution", "")),
                "presets": [preset for preset in PRESETS if preset in model.sections],
            }
        )
    parsers = sorted(path.stem for path in shipped_parsers().glob("*.udpipe"))
    return json.dumps({"models": described, "parsers": parsers}, ensure_ascii=False).encode()
