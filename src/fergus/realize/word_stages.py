"""The stages that find words: chains insertion, lexical choice and inflection before the lattice, the rest after it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from fergus.core.deep import ASKING, CLAUSE_ENDS, CLAUSE_TYPE, FRAGMENT, clause_type, without_clause_type
from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.errors import InputError, ModelError
from fergus.realize.agree import Agreement
from fergus.realize.agreement_model import agreement_from
from fergus.realize.choose_words import WordChooser
from fergus.realize.finish import spoken, suited, with_initial
from fergus.realize.inflect import Inflector
from fergus.realize.inflection_lexicon import Feats, InflectionLexicon
from fergus.realize.inflection_sections import inflection_from
from fergus.realize.insert import Inserter
from fergus.realize.insertion_model import insertion_from
from fergus.realize.known_features import KnownFeatures
from fergus.realize.model import ModelFile
from fergus.realize.punctuate import Punctuator
from fergus.realize.punctuation_model import punctuation_from
from fergus.realize.readings import Completed, Option, Reading, as_lemma, completed, with_word
from fergus.realize.sandhi import FormChooser
from fergus.realize.word_model import words_from
from fergus.realize.words_apart import WordSplitter, is_part

MOST_READINGS = 8
FORMS_KEPT = 1 << 16
UNKNOWN = "_"
"""Part of a word that was taken apart, until it is known which."""
LEAST_PROBABLE = -5.0
"""Readings that are e^5 times less probable than the node's best are left out."""

CHOICE_WEIGHT = 2.0
"""Of lexical choice among the readings: words are best chosen where the language model counts a tenth of the word model
(benchmarks/words.py, held-out part of train); for orders its weight is about 0.4, and readings count twice."""


class WordStages:
    """What comes before and after the choice of an order; the parts are loaded when a tree first needs them."""

    def __init__(self, model: ModelFile, *, lexicon: InflectionLexicon | None = None) -> None:
        self.model, self.lexicon = model, lexicon
        self._forms: dict[tuple[str | None, str | None, Feats | None], tuple[Reading, ...]] = {}
        self._punctuators: dict[bool, Punctuator] = {}

    @cached_property
    def inflector(self) -> Inflector:
        """Forms of lemmas."""
        if "inflection" not in self.model.sections:
            raise ModelError(
                f"{self.model.called}: words have to be inflected, and the model was trained without lemmas; "
                "give word forms, or train it anew on a treebank with lemmas"
            )
        return Inflector(inflection_from(self.model.section("inflection")), lexicon=self.lexicon)

    @cached_property
    def known_features(self) -> KnownFeatures:
        """Features that a word may have."""
        lexicon = self.inflector.model.lexicon
        own = self.lexicon.bundles.values() if self.lexicon else ()
        return KnownFeatures(feats for bundles in (*lexicon.bundles.values(), *own) for feats in bundles)

    @cached_property
    def agreement(self) -> Agreement | None:
        """Features that the input leaves open; a model without it sums over all of them."""
        if "agreement" not in self.model.sections:
            return None
        return Agreement(agreement_from(self.model.section("agreement")))

    @cached_property
    def form_chooser(self) -> FormChooser:
        """Forms that suit their neighbours."""
        return FormChooser(self.inflector.model.sandhi)

    @cached_property
    def splitter(self) -> WordSplitter:
        """Words that were taken apart."""
        return WordSplitter(self.inflector.model.lexicon)

    @cached_property
    def inserter(self) -> Inserter:
        """Function words."""
        if "insertion" not in self.model.sections:
            raise ModelError(
                f"{self.model.called}: function words have to be inserted, and the model has not learned it; "
                "train it anew on a treebank of Universal Dependencies"
            )
        return Inserter(insertion_from(self.model.section("insertion")))

    @cached_property
    def word_chooser(self) -> WordChooser | None:
        """Which of several words suits the tree; a model without it leaves that to the language model."""
        return WordChooser(words_from(self.model.section("words"))) if "words" in self.model.sections else None

    def learned(self, stages: Sequence[str]) -> tuple[str, ...]:
        """The stages without marks, if the treebank had none to learn from."""
        return tuple(s for s in stages if s != "punctuate" or "punctuation" in self.model.sections)

    def complete(self, tree: DependencyTree, stages: Sequence[str], *, anew: bool = False) -> Completed:
        """The readings of all nodes; forms that are given are made ``anew`` from lemmas if that is asked for."""
        kind = clause_type(tree)
        if not kind:
            return self._completed(tree, stages, anew=anew)
        if kind not in CLAUSE_ENDS:
            problem = f"{CLAUSE_TYPE}={kind} of {tree.nodes[tree.root].lemma or tree.nodes[tree.root].form!r}"
            remedy = f"use {CLAUSE_TYPE}={'|'.join(CLAUSE_ENDS)}"
            raise InputError(f"{problem}: no such value of {CLAUSE_TYPE}", path=tree.source, remedy=remedy)
        # Insertion has learned from it, and takes it away; other stages know it of the sentence, not of a word. Of
        # fragments the trees that it has learned from say nothing.
        tree = tree if "insert" in stages and kind != FRAGMENT else without_clause_type(tree)
        found = replace(self._completed(tree, stages, anew=anew), clause_type=kind)
        if kind == ASKING and "insertion" in self.model.sections:
            found = replace(found, tree=self.inserter.model.spelled_out.asked(found.tree))
        return found

    def _completed(self, tree: DependencyTree, stages: Sequence[str], *, anew: bool) -> Completed:
        if not {"insert", "inflect"}.intersection(stages) and all(node.form for node in tree.nodes):
            return Completed(tree)
        choices = {i: self.choices(tree, i) for i, node in enumerate(tree.nodes) if node.alternatives}
        inflect = "inflect" in stages
        nodes = [
            with_word(node, choices[i][0][0], inflect=inflect)
            if i in choices
            else as_lemma(node)
            if inflect and (anew or not node.form)
            else node
            for i, node in enumerate(tree.nodes)
        ]
        tree = tree.with_nodes(nodes)
        options: list[list[Option]] = [[Option(node, 0.0)] for node in nodes]
        if "insert" in stages:
            for node in nodes:
                source, word = tree.source, node.lemma or node.form
                self.known_features.check(node.feats or (), word=word, source=source, deep=self.inserter.model.values)
            if self.agreement:
                tree = tree.with_nodes(map(self.agreement.usual, tree.nodes))
            inserted = self.inserter.insert(tree)
            tree, options = inserted.tree, [list(own) for own in inserted.options]
            if self.agreement:
                options = self.agreement.agree(tree, options, nodes)
        else:
            for node in nodes:
                self.check(node, tree)
            if inflect and self.agreement:
                # Of several words to choose from only one was looked at.
                found = self.agreement.complete(tree)
                options = [options[i] if i in choices else own for i, own in enumerate(found)]
        for i, words in choices.items():
            options[i] = [
                Option(with_word(option.node, word, inflect=inflect), option.logprob + logprob)
                for option in options[i]
                if option.node
                for word, logprob in words
            ]
        # A deep tree's dropped subjects never become words.
        kept = [i for i, own in enumerate(options) if any(option.node for option in own)]
        if not kept:
            raise InputError("the tree has nothing to say", path=tree.source, remedy="give it a word with a lemma")
        if len(kept) < len(tree):
            tree, options = tree.pruned(kept), [options[i] for i in kept]
        readings = [self.readings(own, tree) for own in options]
        inserted_nodes = [place for place, i in enumerate(kept) if i >= len(nodes)]
        return completed(tree, [[option.node for option in own] for own in options], readings, inserted_nodes)

    def choices(self, tree: DependencyTree, node: int) -> list[tuple[str, float]]:
        """The words to choose from at a node with log probabilities: the input's weights and the model's."""
        given = tree.nodes[node].alternatives
        words = [choice.word for choice in given]
        most = max(choice.weight for choice in given)  # weights may be huge or tiny: logarithms of ratios are not
        total = math.log(most) + math.log(math.fsum(choice.weight / most for choice in given))
        scores = self.word_chooser.scores(tree, node, words) if self.word_chooser else (0.0,) * len(words)
        weighed = [
            (choice.word, CHOICE_WEIGHT * (math.log(choice.weight) - total + score))
            for choice, score in zip(given, scores, strict=True)
        ]
        return sorted(weighed, key=lambda pair: (-pair[1], pair[0]))

    def readings(self, options: Sequence[Option], tree: DependencyTree) -> Sequence[Reading]:
        """The forms of all words that a node may be, best first."""
        if len(options) == 1 and options[0].node:
            return self.forms(options[0].node, tree)
        by_form: dict[str, Reading] = {}
        for number, option in enumerate(options):
            for one in self.forms(option.node, tree) if option.node else (Reading("", 0.0),):
                logprob = one.logprob + option.logprob
                same = by_form.get(one.form)
                if same is None:
                    by_form[one.form] = Reading(one.form, logprob, number, one.is_complete)
                else:  # two ways to the same form: their probabilities add up, the likelier one names the word
                    total = max(same.logprob, logprob) + math.log1p(math.exp(-abs(same.logprob - logprob)))
                    by_form[one.form] = replace(same, logprob=total)
        found = sorted(by_form.values(), key=lambda one: -one.logprob)
        best = found[0].logprob
        words = [one for one in found if one.form]
        return [one for one in found if one.logprob >= best + LEAST_PROBABLE or one is words[0]][:MOST_READINGS]

    def forms(self, node: Node, tree: DependencyTree) -> Sequence[Reading]:
        """The forms of a node that has none, or the one it has."""
        if node.form:
            return (Reading(node.form, 0.0),)
        key = (node.lemma, node.upos, node.feats)
        found = self._forms.get(key)
        if found is None:
            candidates = self.inflector.inflect(node)
            if not candidates and is_part(node):
                return (Reading(UNKNOWN, 0.0),)
            if not candidates:
                problem = f"node {node.identifier or '?'} has neither a form nor a lemma"
                raise InputError(problem, path=tree.source, remedy="give it one of the two")
            least = candidates[0].logprob10 * math.log(10) + LEAST_PROBABLE
            is_complete = self.inflector.is_complete(node)
            scored = [Reading(one.form, one.logprob10 * math.log(10), 0, is_complete) for one in candidates]
            if len(self._forms) >= FORMS_KEPT:
                self._forms.clear()
            found = self._forms[key] = tuple(one for one in scored if one.logprob >= least)[:MOST_READINGS]
        return found

    def check(self, node: Node, tree: DependencyTree) -> None:
        """What inflection cannot make sense of: features that nobody knows, several words in one."""
        lemma, key = node.lemma or "", (node.lemma, node.upos, node.feats)
        if node.form or key in self._forms:  # forms were made of the same before
            return
        self.known_features.check(node.feats or (), word=lemma, source=tree.source)
        is_several = any(map(str.isalpha, lemma)) and len(lemma.split()) > 1
        lexicons = [self.inflector.model.lexicon, *([self.lexicon] if self.lexicon else [])]
        if is_several and not any((lemma.lower(), node.upos) in lexicon.paradigms for lexicon in lexicons):
            remedy = "give every word its own node, or the form instead of the lemma"
            raise InputError(f"the lemma {lemma!r} has a space in it", path=tree.source, remedy=remedy)

    def words(self, completed: Completed, order: Sequence[int], readings: Sequence[Reading]) -> Sequence[Node | None]:
        """By node what it becomes in this order."""
        if not completed.readings:
            return completed.tree.nodes
        if not any(reading.is_complete or reading.form == UNKNOWN for reading in readings):
            chosen = dict(zip(order, readings, strict=True))
            return [completed.word(node, chosen[node]) for node in range(len(order))]
        return suited(completed, order, readings, splitter=self.splitter, chooser=self.form_chooser)

    def sentence(
        self,
        tree: DependencyTree,
        order: Sequence[int],
        words: Sequence[Node | None],
        stages: Sequence[str],
        *,
        kind: str = "",
    ) -> OrderedTree:
        """The finished sentence; ``kind`` is the type of its clause, if that is known."""
        sentence = spoken(tree, order, words)
        if "punctuate" not in stages:
            return sentence
        if "inflect" not in stages or "insert" in stages:
            return self.punctuator("insert" in stages).punctuate(sentence, clause_type=kind)
        # Marks were learned from sentences that begin with a capital; without one they look like careless writing.
        marked = self.punctuator(False).punctuate(with_initial(sentence), clause_type=kind)
        nodes = (*sentence.tree.nodes, *marked.tree.nodes[len(sentence.tree) :])
        return replace(marked, tree=marked.tree.with_nodes(nodes))

    def punctuator(self, deep: bool) -> Punctuator:
        """Puts marks into sentences with the relations of the deep track or the treebank's."""
        if deep not in self._punctuators:
            name = "punctuation-deep" if deep and "punctuation-deep" in self.model.sections else "punctuation"
            if name not in self.model.sections:
                raise ModelError(
                    f"{self.model.called}: marks have to be put in, and the model was trained on a treebank without "
                    "any; leave out the stage punctuate"
                )
            self._punctuators[deep] = Punctuator(punctuation_from(self.model.section(name)))
        return self._punctuators[deep]
