"""What the string and the tree accuracies share: 1 - errors / length, from counts of errors (section 3.1)."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from fergus.metrics.base import PairMetric
from fergus.metrics.segment import Batch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Accuracy(PairMetric):
    """An accuracy whose statistics are the fields of ``Counts``; at most 1, and it may be negative."""

    has_moves: ClassVar[bool] = False
    """Whether a deletion and an insertion of the same token are one error."""

    @abstractmethod
    def counts(self, batch: Batch) -> NDArray[np.int64]:
        """A row of counts for every pair of the batch; negative where there are none."""

    def pair_statistics(self, batch: Batch) -> NDArray[np.float64]:
        """The counts of every pair."""
        import numpy as np

        counts = self.counts(batch).astype(np.float64)
        counts[counts[:, 4] < 0] = np.nan
        return counts

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """1 - errors / length; 1 where both are empty."""
        import numpy as np

        errors = statistics[..., 0] + statistics[..., 1] + statistics[..., 2]
        if self.has_moves:
            errors = errors - statistics[..., 3]
        accuracies: NDArray[np.float64] = 1 - errors / np.maximum(statistics[..., 4], 1)
        return accuracies
