"""From judgements to metrics that can be trusted."""
