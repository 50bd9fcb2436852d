"""The columns of figures, alike in the terminal and on the page of results: heading and form, by the figure's name."""

from __future__ import annotations

from bars import ACCURACIES

ACCURACY_COLUMNS = {
    name: (heading, "{:.4f}") for name, heading in zip(ACCURACIES, ("SSA", "GSA", "STA", "GTA"), strict=True)
}
REALIZED_COLUMNS = {
    **ACCURACY_COLUMNS,
    "bleu": ("BLEU", "{:.1f}"),
    "exact_match": ("exact", "{:.1%}"),
    "sentences_per_second": ("sentences/s", "{:,.4g}"),
}
COST_COLUMNS = {
    "seconds": ("seconds", "{:.3f}"),
    "processor_seconds": ("CPU seconds", "{:.3f}"),
    "peak_megabytes": ("peak MB", "{:,.0f}"),
    "megabytes": ("MB", "{:.1f}"),
}
