"""Records: a match as a text file that people read and programs give back byte for byte, or as JSON lines."""

from service.records.files import read_evidence
from service.records.imports import import_evidence
from service.records.jsonl import write_jsonl
from service.records.text import write_text

__all__ = ["import_evidence", "read_evidence", "write_jsonl", "write_text"]
