"""Evaluation of systems: files in, every metric over every sentence, a result that can be shown and compared."""

from fergus.evaluation.html_report import write_html
from fergus.evaluation.in_memory import evaluate
from fergus.evaluation.result import Evaluation, SystemResult
from fergus.evaluation.tables import as_latex, as_text

__all__ = ["Evaluation", "SystemResult", "as_latex", "as_text", "evaluate", "write_html"]
