"""The names that requests of the API choose from, the fields that several of them have, and the examples' words.

The names of formats, presets, stages and tokenizers are repeated here because the modules that define them load
compiled code, which the server's own process does without; a test compares them.
"""

from __future__ import annotations

from typing import Annotated

from fergus.web.schema import Said

AUTO = "auto"
FORMATS = ("conllu", "notation", "json", "bracketed", "t1", "t2")
PRESETS = ("default", "supertag", "treebank-lr", "baseline-lr")
STAGES = ("choose", "insert", "inflect", "order", "punctuate")
TOKENIZERS = ("spaces", "13a", "intl", "zh", "char", "parser")
GROUPS = ("paper", "string", "tree", "learned", "draft", "peers", "tags", "all")
TREE = "estimate(there was no cost for(phase(the second)))"
FLUENT = "There was no cost estimate for the second phase"
TOKENS = ("there", "was", "no", "cost", "estimate", "for", "the", "second", "phase")
INPUTS = ("text", "lines", "tokens")

ModelName = Annotated[
    str | None, Said("One of the names at /api/v1/models; null is the first of them.", example="en", most=200)
]
Preset = Annotated[str, Said("Which of the model's realizers to use.", example=PRESETS[0], choices=PRESETS)]
Bare = Annotated[bool, Said("Ignore every label, use lexemes and heads only.", example=False)]
