"""The realizer: from an unordered dependency tree to the best sentence, stage by stage."""
