"""The page of all settings, docs/host/settings.md, made from `config.settings` and written anew by

python -m tests.settings
"""

import ast
import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any

from config.settings import Settings

PAGE = Path(__file__).parents[1] / "docs/host/settings.md"
HEAD = """# All settings

`python -m tests.settings` makes this page from `config/settings.py`; a test compares them.

Each setting is an environment variable. A file `.env` in the working directory is read, too. Lists are JSON
(`'["a", "b"]'`). `slowtrain check-settings` says which settings are wrong; [In production](production.md) lists the
settings that production needs. The defaults are the embedded profile.

| variable | default | meaning |
|---|---|---|
"""


def page() -> str:
    """Return the whole page, as Markdown."""
    said = _docstrings()
    return HEAD + "".join(
        f"| `SLOWTRAIN_{name.upper()}` | {_default(field.default)} | {said[name]} |\n"
        for name, field in Settings.model_fields.items()
    )


def _docstrings() -> dict[str, str]:
    """Return the text below each setting, on one line, with Markdown's backticks."""
    (made,) = ast.parse(inspect.getsource(Settings)).body
    assert isinstance(made, ast.ClassDef)
    said = {}
    for field, below in zip(made.body, made.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            match below:
                case ast.Expr(ast.Constant(str(text))):
                    said[field.target.id] = re.sub(r"`+", "`", " ".join(text.split())).replace("|", r"\|")
    return said


def _default(value: Any) -> str:
    if value in ("", (), None):
        return ""
    return f"`{value}`" if isinstance(value, str | Path) else f"`{json.dumps(value)}`"


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.stdout.write(f"{PAGE} is written.\n")
