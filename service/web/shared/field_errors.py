"""Errors in the fields of a request, in the caller's language.

Schemas state them in English, with bounds and choices filled in. This module takes them apart again. Our own errors
without such facts are marked for translation where they are raised.
"""

import re
from typing import Any, NamedTuple

from service.words import ENGLISH, N_, said

OF_SCHEMAS = (
    N_("Missing data for required field."),
    N_("Field may not be null."),
    N_("Unknown field."),
    N_("Invalid type."),
    N_("Invalid input type."),
    N_("Invalid value."),
    N_("Invalid JSON body."),
    N_("Not a valid boolean."),
    N_("Not a valid date."),
    N_("Not a valid integer."),
    N_("Not a valid list."),
    N_("Not a valid mapping type."),
    N_("Not a valid number."),
    N_("Not a valid string."),
    N_("Not a valid tuple."),
    N_("Not a valid utf-8 string."),
    N_("Number too large."),
    N_("Special numeric values (nan or infinity) are not permitted."),
    N_("String does not match expected pattern."),
)
"""Errors of marshmallow and webargs without facts."""

WITH_FACTS = (
    N_("Must be greater than or equal to {min} and less than or equal to {max}."),
    N_("Must be greater than or equal to {min}."),
    N_("Must be less than or equal to {max}."),
    N_("Must be one of: {choices}."),
    N_("Length must be between {min} and {max}."),
    N_("Length must be {equal}."),
    N_("Longer than maximum length {max}."),
    N_("Shorter than minimum length {min}."),
    N_("A line has at most {most} characters."),
    N_("You cannot take these days off: {why}."),
    N_("{word} is not a command of this title."),
    N_("“{word}” is one word too many."),
    N_("{verb} also needs: {fields}."),
    N_("{value} is not possible as {field}."),
)
"""Errors with facts, of marshmallow and our own. The first template that fits counts."""


class _Template(NamedTuple):
    text: str
    pattern: re.Pattern[str]


_TEMPLATES = [
    _Template(text, re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(text)), re.DOTALL))
    for text in WITH_FACTS
]


def in_words(errors: Any, lang: str) -> Any:
    """Translate ``errors`` of schemas: lists of sentences under the names of fields. Unknown sentences stay as they
    are."""
    if lang == ENGLISH:
        return errors
    if isinstance(errors, dict):
        return {field: in_words(each, lang) for field, each in errors.items()}
    if isinstance(errors, list):
        return [in_words(each, lang) for each in errors]
    return _in_words(errors, lang) if isinstance(errors, str) else errors


LONGEST = 500
"""Characters of the longest error that is compared with templates: it may quote the caller's text."""


def _in_words(error: str, lang: str) -> str:
    if (whole := said(error, lang)) != error:
        return whole
    found = ((it.text, it.pattern.fullmatch(error)) for it in _TEMPLATES if len(error) <= LONGEST)
    template, match = next(((text, match) for text, match in found if match), (error, None))
    return error if match is None else said(template, lang).format_map(match.groupdict())
