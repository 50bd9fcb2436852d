"""Every reader of something that a user may give, by name: bytes in, a result or a FergusError out."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from fuzz import good_files
from fuzz.good_files import files_below, good

XTAG_FILES = {
    "names": "bracketed/treenames.dat",
    "trees": "bracketed/xtag.trees.dat",
    "families": "bracketed/treefams.dat",
    "lisp": "grammar/one.trees",
    "defaults": "syntax/syndefaults.dat",
    "lexicon": "syntax/syntax-coded.flat",
    "morphology": "morphology/trunc_morph.flat",
}
Read = Callable[[bytes], object]


@dataclass(frozen=True)
class Target:
    """A reader, and good files to begin with."""

    name: str
    read: Read
    make_seeds: Callable[[], Iterable[bytes]]

    @property
    def seeds(self) -> tuple[bytes, ...]:
        """Good files, made when they are asked for."""
        return tuple(self.make_seeds())


@cache
def folder(name: str) -> Path:
    """An empty folder of this process; gone when it ends."""
    made = TemporaryDirectory(prefix=f"{name}-")
    _FOLDERS.append(made)
    return Path(made.name)


_FOLDERS: list[TemporaryDirectory[str]] = []


def of_file(file: str, read: Callable[[Path], object], *, beside: Callable[[], dict[str, bytes]] = dict) -> Read:
    """What reads a file of that name; other files that it needs lie beside it."""

    @cache
    def path() -> Path:
        place = folder(file.replace("/", "-"))
        for other, content in beside().items():
            (place / other).parent.mkdir(parents=True, exist_ok=True)
            (place / other).write_bytes(content)
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        return place / file

    def reads(data: bytes) -> object:
        path().write_bytes(data)
        return read(path())

    return reads


def exhausted(values: Iterable[object]) -> None:
    """Go through all of them, and keep none."""
    deque(values, maxlen=0)


def trees(input_format: str) -> Read:
    """The readers of trees; what is read must also be a tree that others can use."""

    def reads(data: bytes) -> None:
        from fergus.treebank.read import parse_trees

        exhausted(parse_trees(io.BytesIO(data), input_format=input_format))

    return reads


def compressed(data: bytes) -> None:
    """A broken archive under each of the names that say how it is packed, by each reader of archives."""
    from fergus.cli.sentences import lines_of
    from fergus.errors import FergusError
    from fergus.evaluation.read import SentenceFile
    from fergus.treebank.read import parse_trees

    for ending in ("gz", "xz", "bz2"):
        path = folder("compressed") / f"input.{ending}"
        path.write_bytes(data)
        for read in (parse_trees, lambda name: SentenceFile(str(name)), lambda name: lines_of(str(name))):
            try:
                exhausted(read(path))
            except FergusError:
                continue


def training_text(path: Path) -> None:
    """Text for the language model."""
    from fergus.cli.sentences import TextFiles

    exhausted(TextFiles([str(path)], lambda job, done, total: None))


def model(path: Path) -> None:
    """A model file with all that is in it."""
    from fergus.realize.model import ModelFile

    file = ModelFile(path)
    for name in file.sections:
        file.section(name)
        file.size_of(name)


def model_parts(data: bytes) -> None:
    """A section of a model with something else in it."""
    from fuzz.model_parts import read

    read(data)


def seeds_of_model_parts() -> Iterator[bytes]:
    """Its members."""
    from fuzz.model_parts import seeds

    return seeds()


def language_model(path: Path) -> None:
    """An ARPA file."""
    from fergus.realize.named_language_model import language_model_of

    language_model_of(str(path))


def rules(path: Path) -> None:
    """Hand-written rules, put into a grammar."""
    from fergus.grammar.inventory import Grammar
    from fergus.grammar.rules import load_rules

    load_rules(path).extend(Grammar({}))


def grammar(path: Path) -> None:
    """A grammar file."""
    from fergus.grammar.storage import load

    load(path)


def xtag(path: Path) -> None:
    """One of XTAG's files, among the others; below two folders."""
    from fergus.grammar.xtag import read_xtag

    read_xtag(path.parents[1], source="grammar" if path.suffix == ".trees" else "bracketed")


def lexicon(path: Path) -> None:
    """A table of word forms."""
    from fergus.realize.inflection_lexicon import read_lexicon

    read_lexicon(path)


def synonyms(path: Path) -> None:
    """A table of synonyms."""
    from fergus.realize.synonyms import read_synonyms_tsv

    read_synonyms_tsv(path)


def wordnet(path: Path) -> None:
    """A file of WordNet's, among the others; words that it has and words that it lacks."""
    from fergus.realize.wordnet import read_wordnet

    found = read_wordnet(path.parent)
    for word in ("buy", "bribe", "purchase", "zoo"):
        found.of(word, "VERB")


def metric(path: Path) -> None:
    """A learned metric, with its parts."""
    from fergus.evaluation.selection import make_metrics

    make_metrics([str(path)])


def sentences(path: Path) -> None:
    """Outputs or references of an evaluation, twice side by side."""
    from fergus.evaluation.read import SentenceFile, parallel

    exhausted(parallel([SentenceFile(str(path)), SentenceFile(str(path))]))


def judgements(path: Path) -> None:
    """A table of judgements, with the scores of metrics in it."""
    from fergus.analysis.load import load_table
    from fergus.analysis.metric_scores import metric_scores
    from fergus.analysis.score_sources import Sources
    from fergus.studies.judgements_file import Columns

    metric_scores(load_table(path, columns=Columns()), Sources())


def references(path: Path) -> None:
    """References of judged texts, in a table or a text a line."""
    from fergus.analysis.load import load_table
    from fergus.analysis.references import references_of
    from fergus.metrics.tokenization import SPACES
    from fergus.studies.judgements_file import Columns

    judged = load_table(path.parent / "judgements.csv", columns=Columns())
    references_of(judged, [str(path)], tokenization=SPACES)


def evaluation(path: Path) -> None:
    """Scores of judged texts from an evaluation."""
    from fergus.analysis.load import load_table
    from fergus.analysis.metric_scores import metric_scores
    from fergus.analysis.score_sources import Sources
    from fergus.studies.judgements_file import Columns

    judged = load_table(path.parent / "judgements.csv", columns=Columns())
    metric_scores(judged, Sources(evaluation=path, metric_columns=("m.bleu",)))


def study(path: Path) -> None:
    """A study, from either of its files."""
    from fergus.studies.study_file import read_study

    read_study(path.parent / "study.yaml")


def qualities(path: Path) -> None:
    """What artificial raters would find."""
    from fergus.studies.quality_file import read_qualities
    from fergus.studies.study_file import read_study

    read_qualities(path, read_study(path.parent / "study.yaml"))


def plan(path: Path) -> None:
    """An analysis plan, or its frozen state."""
    from fergus.analysis.preregister import check_freeze

    check_freeze(path.parent / "plan.toml")


def analysis(path: Path) -> None:
    """A report that is compared with a plan."""
    from fergus.analysis.preregister import read_settings

    read_settings(path)


def database(path: Path) -> None:
    """A database of studies."""
    from fergus.studies.storage.migrate import open_database

    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    open_database(path, must_exist=True).close()


def _study(items: str) -> dict[str, bytes]:
    text = good("study/study.yaml").replace(b"items.csv", items.encode())
    return {"study.yaml": text, "items.csv": good("study/items.csv")}


def _targets() -> Iterator[Target]:
    def given(name: str, read: Read, *files: str) -> Target:
        return Target(name, read, lambda: map(good, files))

    yield given("trees-conllu", trees("conllu"), "trees.conllu", "T1-trees.conllu")
    yield given("trees-t1", trees("t1"), "T1-trees.conllu")
    yield given("trees-t2", trees("t2"), "T2-trees.conllu")
    yield given("trees-notation", trees("notation"), "trees.txt")
    yield given("trees-json", trees("json"), "trees.jsonl")
    yield given("trees-bracketed", trees("bracketed"), "trees.mrg")
    yield given("trees-auto", trees("auto"), "trees.conllu", "trees.txt", "trees.jsonl", "trees.mrg")
    packers = (gzip.compress, lzma.compress, bz2.compress)
    yield Target("compressed", compressed, lambda: [pack(good("trees.conllu")) for pack in packers])
    yield given("training-text", of_file("text.txt", training_text), "sentences.txt")
    yield Target("model", of_file("m.fergus", model), lambda: (good_files.model(), good_files.unpacked_model()))
    yield Target("model-parts", model_parts, seeds_of_model_parts)
    yield given("language-model", of_file("m.arpa", language_model), "small.arpa")
    yield given("rules", of_file("x.rules", rules), "orders.rules")
    yield given("grammar", of_file("x.grammar", grammar), "small.grammar")
    for name, file in XTAG_FILES.items():
        read = of_file(file, xtag, beside=lambda: files_below("xtag"))
        yield given(f"xtag-{name}", read, f"xtag/{file}")
    yield given("lexicon", of_file("forms.tsv", lexicon), "forms.tsv")
    yield given("synonyms", of_file("synonyms.tsv", synonyms), "synonyms.tsv")
    for file in ("index.verb", "data.verb"):
        read = of_file(file, wordnet, beside=lambda: files_below("wordnet"))
        yield given(f"wordnet-{file.partition('.')[0]}", read, f"wordnet/{file}")
    yield given("metric", of_file("m.toml", metric), "metric.toml")
    yield given("sentences", of_file("outputs", sentences), "sentences.txt", "sentences.jsonl", "trees.conllu")
    yield given("judgements-csv", of_file("j.csv", judgements), "judgements.csv")
    yield given("judgements-jsonl", of_file("j.jsonl", judgements), "judgements.jsonl")
    yield given("references-csv", of_file("r.csv", references, beside=_judged), "references.csv")
    yield given("references-text", of_file("r", references, beside=_judged), "references.txt", "references.jsonl")
    yield given("evaluation", of_file("e.json", evaluation, beside=_judged), "evaluation.json")
    yield Target("study", of_file("study.yaml", study, beside=lambda: _study("items.csv")), good_files.studies)
    for file in ("items.csv", "items.jsonl", "evaluation.json"):
        read = of_file(file, study, beside=partial(_study, file))
        yield given(f"items-{file.partition('.')[2]}", read, "study/items.csv" if file == "items.csv" else file)
    yield given("qualities", of_file("q.csv", qualities, beside=lambda: _study("items.csv")), "qualities.csv")
    yield given("plan", of_file("plan.toml", plan), "plan.toml")
    frozen = of_file("plan.frozen.json", plan, beside=lambda: {"plan.toml": good("plan.toml")})
    yield Target("frozen-plan", frozen, lambda: (good_files.frozen_plan(),))
    yield given("analysis", of_file("report.json", analysis), "report.json")
    yield Target("database", of_file("fergus.db", database), lambda: (good_files.database(),))


def _judged() -> dict[str, bytes]:
    return {"judgements.csv": good("judgements.csv")}


TARGETS = MappingProxyType({target.name: target for target in _targets()})
"""In the order of the pipeline."""
