"""Text that is to become trees, and the trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fergus.exchange.written_trees import OUTPUTS
from fergus.web.api_records.names import INPUTS
from fergus.web.api_records.tree import FlatTree, NestedTree
from fergus.web.engine_limits import Limits
from fergus.web.schema import Said


@dataclass(frozen=True)
class ParseRequest:
    """Text that is to become dependency trees."""

    text: Annotated[str, Said("The text.", example="There was no cost estimate.", least=1, most=Limits.characters)]
    input: Annotated[
        str,
        Said("Running text, one sentence a line, or one sentence a line with spaces between its tokens.",
             example=INPUTS[0], choices=INPUTS),
    ] = INPUTS[0]  # fmt: skip
    output: Annotated[
        str, Said("How the trees are written; json gives objects.", example="conllu", choices=OUTPUTS)
    ] = "json"
    parser: Annotated[str, Said("A parser that is shipped.", example="en", least=1, most=200)] = "en"


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence and its tree, in the format that was asked for."""

    tokens: Annotated[tuple[str, ...], Said("The words.", example=["There", "was", "no", "cost", "estimate", "."])]
    tree: Annotated[
        FlatTree | NestedTree | None,
        Said("With json: the tree, as the JSON format of trees has it; /api/v1/realize takes it."),
    ] = None
    conllu: Annotated[str | None, Said("With conllu: the tree as CoNLL-U.")] = None
    notation: Annotated[
        str | None, Said("With notation: the tree in the quick notation.", example="was(There estimate(no cost) .)")
    ] = None


@dataclass(frozen=True)
class ParseResponse:
    """A tree for every sentence."""

    parser: Annotated[str, Said("The parser: model and program.", example="udpipe:en")]
    sentences: Annotated[tuple[ParsedSentence, ...], Said("One for every sentence, in the order of the text.")]
