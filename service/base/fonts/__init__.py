"""The letters of boards and pages: files of ours with their licence, so that pictures are alike on every machine."""

from pathlib import Path

FOLDER = Path(__file__).parent
