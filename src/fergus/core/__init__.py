"""Data types that every part of Fergus speaks: trees, supertags, lattices, realizations."""
