"""Work in chunks whose results come back in order: in this process, in several, or on a Dask cluster."""
