"""Dependency trees in and out: CoNLL-U, the quick notation, JSON, Penn bracketings, drawings, and parsed text."""

from fergus.treebank.bracketed import read_bracketed
from fergus.treebank.conllu import read_conllu
from fergus.treebank.conllu_writer import write_conllu
from fergus.treebank.draw import draw
from fergus.treebank.jsontree import read_json, tree_from_object
from fergus.treebank.jsontree_writer import to_json, tree_to_object
from fergus.treebank.notation import parse_tree, read_notation, to_notation
from fergus.treebank.parse import Parser, load_parser
from fergus.treebank.read import FORMATS, parse_trees, read_trees, treebank_files
from fergus.treebank.relations import ARGUMENTS

__all__ = [
    "ARGUMENTS",
    "FORMATS",
    "Parser",
    "draw",
    "load_parser",
    "parse_tree",
    "parse_trees",
    "read_bracketed",
    "read_conllu",
    "read_json",
    "read_notation",
    "read_trees",
    "to_json",
    "to_notation",
    "tree_from_object",
    "tree_to_object",
    "treebank_files",
    "write_conllu",
]
