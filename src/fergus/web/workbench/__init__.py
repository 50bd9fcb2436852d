"""What the pages of the workbench show: trees, sentences and reasons, made ready by the engine's workers."""
