"""The traces of a person in files."""

from contextlib import suppress
from pathlib import Path


def holding(folder: Path, *traces: str) -> list[tuple[str, str]]:
    """Return the files that hold any of these, in upper or lower case.

    If one disappears meanwhile, all are read again: the broker of a running service hands out its messages.
    """
    while True:
        with suppress(FileNotFoundError):
            files = [(each, each.read_bytes().lower()) for each in folder.rglob("*") if each.is_file()]
            return [
                (each.name, trace) for each, content in files for trace in traces if trace.lower().encode() in content
            ]
