"""The release of this program."""

import importlib.metadata


def release_of_program() -> str:
    try:
        return importlib.metadata.version("slowtrain")
    except importlib.metadata.PackageNotFoundError:  # run from a checkout that was not installed
        return ""
