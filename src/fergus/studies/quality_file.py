"""Latent qualities of texts from a CSV file, for artificial raters: what they would find on average."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from fergus.errors import InputError
from fergus.studies.items_file import read_text
from fergus.studies.raters import Qualities
from fergus.studies.study import Study

QUALITY = "quality"
"""The column that holds for every dimension without a column of its own."""
REMEDY = "give a header with item (or text) and quality, or a column for each dimension"


def read_qualities(path: Path, study: Study) -> Qualities:
    """By the text of each item: a column ``item`` or ``text``, and numbers in the others.

    ``quality`` holds for every dimension that has no column; 0 is an average text, 1 a standard deviation better.
    """
    rows = csv.DictReader(io.StringIO(read_text(path, name=str(path)), newline=""), strict=True)
    found: dict[str, dict[str, float]] = {}
    try:
        columns = list(rows.fieldnames or ())
        name = next((name for name in ("item", "text") if name in columns), None)
        dimensions = [column for column in columns if column not in ("item", "text")]
        if name is None or not dimensions:
            raise InputError(f"the columns are {', '.join(columns) or 'none'}", path=str(path), line=1, remedy=REMEDY)
        texts = {item.text for item in study.items}
        for row in rows:
            line, given = rows.line_num, row[name]
            text = study.by_id[given].text if name == "item" and given in study.by_id else given
            if text not in texts:
                raise InputError(
                    f"the study has no {name} “{given}”",
                    path=str(path),
                    line=line,
                    remedy="remove the line, or mend it",
                )
            found[text] = {
                "" if dimension == QUALITY else dimension: _number(row[dimension], dimension, path, line)
                for dimension in dimensions
                if (row[dimension] or "").strip()
            }
    except csv.Error as error:
        raise InputError(
            f"this is no CSV ({error})", path=str(path), line=rows.reader.line_num, remedy=REMEDY
        ) from None
    return found


def _number(text: str, column: str, path: Path, line: int) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        remedy = "0 is an average text, 1 a standard deviation better"
        raise InputError(f"{column} is “{text}”, which is no number", path=str(path), line=line, remedy=remedy)
    return number
