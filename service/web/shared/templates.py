"""Compiled templates, kept in the data folder, since compiling takes most of the time of a first page."""

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import jinja2
from flask import Flask
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from config.files import FOLDER
from config.settings import Settings
from service.base.release import release_of_program

FOLDER_NAME = "templates"


class CompiledTemplates(FileSystemBytecodeCache):
    """Bytecode in files that only their owner may read, since they are run. No file and no disk can break a page."""

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            super().load_bytecode(bucket)
        except Exception:  # a file that a crash has cut off can raise anything
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        try:
            Path(self.directory).mkdir(FOLDER, exist_ok=True)
            super().dump_bytecode(bucket)
        except OSError:
            return  # without a data folder, or with a full disk, it is compiled again


def init_app(app: Flask, settings: Settings) -> None:
    """Keep compiled templates between starts of the embedded profile. Delete the files of other releases."""
    if settings.embedded:
        ours = hashlib.sha256(f"{release_of_program()} {jinja2.__version__}".encode()).hexdigest()[:12]
        folder = settings.data_dir / FOLDER_NAME
        kept: Any = CompiledTemplates(str(folder), f"{ours}-%s")
        app.jinja_options = {"bytecode_cache": kept, **app.jinja_options}
        with suppress(OSError):
            for old in folder.glob("*-*"):
                if not old.name.startswith(ours):
                    old.unlink(missing_ok=True)
