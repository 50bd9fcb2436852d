"""Trees to begin with, each for something else that the realizer does."""

from __future__ import annotations

from dataclasses import dataclass, field

from fergus.web.workbench.asked import Asked


@dataclass(frozen=True)
class Example:
    """A tree, and what it is an example of."""

    name: str
    about: str
    asked: Asked = field(repr=False)


_LABELLED = """\
# text = The dog that chased the cat barked loudly.
1\tThe\tthe\tDET\tDT\tDefinite=Def|PronType=Art\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t7\tnsubj\t_\t_
3\tthat\tthat\tPRON\tWDT\tPronType=Rel\t4\tnsubj\t_\t_
4\tchased\tchase\tVERB\tVBD\tMood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin\t2\tacl:relcl\t_\t_
5\tthe\tthe\tDET\tDT\tDefinite=Def|PronType=Art\t6\tdet\t_\t_
6\tcat\tcat\tNOUN\tNN\tNumber=Sing\t4\tobj\t_\t_
7\tbarked\tbark\tVERB\tVBD\tMood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin\t0\troot\t_\t_
8\tloudly\tloudly\tADV\tRB\t_\t7\tadvmod\t_\tSpaceAfter=No
9\t.\t.\tPUNCT\t.\t_\t7\tpunct\t_\t_
"""
_JSON = """\
{"form": "arrived", "daughters": [
  {"form": "train", "daughters": [{"form": "the"}, {"form": "late"}]},
  {"form": "finally"},
  {"form": "at", "daughters": [{"form": "midnight"}]}]}
"""

EXAMPLES = (
    Example(
        "The paper’s own",
        "There was no cost estimate for the second phase: the tree of section 2 of the paper, bare lexemes.",
        Asked("estimate(there was no cost for(phase(the second)))"),
    ),
    Example(
        "A question",
        "Inversion: the auxiliary stands before its subject.",
        Asked("want(what do you from(me))"),
    ),
    Example(
        "A question with labels",
        "The same with categories and relations, which leave less to be guessed.",
        Asked("seen/VERB:root(have/AUX:aux you/PRON:nsubj ever/ADV:advmod film/NOUN:obj(this/DET:det) ?/PUNCT:punct)"),
    ),
    Example(
        "Several adjuncts",
        "When, where and how: many of their orders are good sentences.",
        Asked(
            "met(we them often in(Paris) during(summer(the)) by(chance))",
        ),
    ),
    Example(
        "Several adjectives",
        "Adjectives before a noun have an order of their own.",
        Asked("bought(she house(a beautiful little old wooden))"),
    ),
    Example(
        "Words to choose from",
        "The models choose the word as well as the order.",
        Asked("{buy|purchase|acquire}(will company(the) {firm|rival}(its smaller))"),
    ),
    Example(
        "Lemmas to inflect",
        "Forms are made from lemmas and features; agreement comes out right.",
        Asked(
            "_/VERB:root[lemma=see,Tense=Past,VerbForm=Fin,Mood=Ind](_/PRON:nsubj[lemma=they,Case=Nom,Number=Plur,"
            "Person=3] _/NOUN:obj[lemma=child,Number=Plur](_/DET:det[lemma=the] _/NUM:nummod[lemma=three]))",
        ),
    ),
    Example(
        "Content words only",
        "Meaning without function words: articles, auxiliaries, prepositions and marks are put in.",
        Asked(
            "buy/VERB:root[Tense=Past](company/NOUN:nsubj[Definite=Def,Number=Sing] "
            "house/NOUN:obj[Definite=Ind,Number=Sing] London/PROPN:obl)",
            stages=("insert", "inflect", "punctuate"),
        ),
    ),
    Example(
        "Two constraints",
        "Orders that are asked for: yesterday first, the recipient right behind the verb.",
        Asked("gave(she#s him[side=right,rank=1] book(a) yesterday[before=s])"),
    ),
    Example(
        "CoNLL-U with labels",
        "A sentence of a treebank; its order is ignored and found again.",
        Asked(_LABELLED),
    ),
    Example(
        "JSON",
        "The same kind of tree as programs write it.",
        Asked(_JSON),
    ),
    Example(
        "Who said it",
        "A clause as an object; try another supertag for “said”.",
        Asked("said(he left(they already))"),
    ),
    Example(
        "By supertags",
        "The preset of the paper: a Tree Chooser, an adjunction table, a trigram model.",
        Asked("estimate(there was no cost for(phase(the second)))", preset="supertag"),
    ),
    Example(
        "Left or right only",
        "The paper’s baseline: does a word precede or follow its mother; the language model does the rest.",
        Asked("estimate(there was no cost for(phase(the second)))", preset="baseline-lr"),
    ),
    Example(
        "A long sentence",
        "Thirty-seven words with clauses within clauses; the lattice is cut down to what can be drawn.",
        Asked(
            "announced/VERB:root(./PUNCT:punct fallen/VERB:advcl(spring/NOUN:obl(last/ADJ:amod since/ADP:case) "
            "sharply/ADV:advmod has/AUX:aux revenue/NOUN:nsubj because/SCONJ:mark) close/VERB:ccomp(end/NOUN:obl("
            "year/NOUN:nmod(the/DET:det of/ADP:case) the/DET:det before/ADP:case) two/NUM:obj(offices/NOUN:nmod("
            "oldest/ADJ:amod its/PRON:nmod:poss of/ADP:case)) would/AUX:aux it/PRON:nsubj that/SCONJ:mark) "
            "yesterday/NOUN:obl:unmarked ,/PUNCT:punct company/NOUN:nsubj(owns/VERB:acl:relcl(north/NOUN:obl("
            "the/DET:det in/ADP:case) newspapers/NOUN:obj(several/ADJ:amod) which/PRON:nsubj ,/PUNCT:punct) "
            "The/DET:det))"
        ),
    ),
)
