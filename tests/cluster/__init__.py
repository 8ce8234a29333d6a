"""Bulk work by others: processes, and a real Dask cluster on this machine."""
