"""The long parts of text tables as HTML: a position in tables and sentences, and actions as buttons and small forms.

A macro would take several times as long for each of hundreds of cells and buttons (`python -m tests.bench pages`);
``words.html`` has the short parts.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import markupsafe
from markupsafe import Markup

from domain.title import Title
from service.web.pages.frame import _, pages
from service.web.pages.parts.terms import marker
from service.web.pages.text.actions import ActionLine, Doable, GroupInWords, Worded
from service.web.pages.text.position import PartShown, PositionShown, ShelfInWords


@lru_cache(8192)
def escape(text: str) -> str:
    """Return a text as HTML, cached: nearly all of them are words of a game."""
    return str(markupsafe.escape(text))


Mark = Callable[[str], Markup]
"""Returns a text as HTML, with links at words of the game (`service.web.pages.parts.terms`)."""


# ==== a position ==================================================================================
@pages.app_template_global("position_in_words")
def position(title: Title, it: PositionShown, heading: str) -> Markup:
    mark = marker(title)
    parts = "".join(f"\n{_part(each, mark)}" for each in it.parts)
    near = "".join(f"\n{_explained(shelf, mark)}" for shelf in it.near)
    head = f'<section class="panel" aria-labelledby="position"><h2 id="position">{escape(heading)}</h2>'
    return Markup(f"{head}{parts}{near}\n</section>")


@pages.app_template_global("hand_in_words")
def hand(title: Title, it: PositionShown, heading: str) -> Markup:
    """Return the things that only the reader may know; nothing for a spectator."""
    if not it.hand:
        return Markup()
    mark = marker(title)
    own = _sentences(it.hand, mark)
    for shelf in it.own:
        lines = f"\n<h3>{escape(shelf.name)}</h3>\n{_sentences(shelf.lines, mark)}" if shelf.lines else ""
        own += f"{lines}\n{_explained(shelf, mark)}"
    head = f'\n<section class="panel" aria-labelledby="hand"><h2 id="hand">{escape(heading)}</h2>'
    return Markup(f"{head}\n{own}\n</section>")


def _part(it: PartShown, mark: Mark) -> str:
    heading = f'<h3 id="{it.id}">{mark(it.heading)}</h3>\n'
    if not it.rows:
        return heading + _sentences(it.lines, mark)
    head = "".join(f'<th scope="col">{mark(cell)}</th>' for cell in it.head)
    rows = "".join(f"\n<tr>{_row(*row)}</tr>" for row in it.rows)
    return (
        f'{heading}<div class="scroll" tabindex="0" role="group" aria-labelledby="{it.id}">'
        f'<table class="facts" aria-labelledby="{it.id}">\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>{rows}\n</tbody></table></div>"
    )


def _row(first: str, *others: str) -> str:
    return f'<th scope="row">{escape(first)}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in others)


def _explained(shelf: ShelfInWords, mark: Mark) -> str:
    if not shelf.uses:
        return ""
    name = escape(_("{name}, explained", name=shelf.name))
    return f"\n<details><summary>{name}</summary>\n{_sentences(shelf.uses, mark)}\n</details>"


def _sentences(lines: Iterable[str], mark: Mark) -> str:
    items = "".join(f"\n  <li>{mark(line)}</li>" for line in lines)
    return f'<ul class="sentences">{items}\n</ul>'


# ==== actions =====================================================================================
@pages.app_template_global("deeds_in_words")
def deeds(can: Doable, address: str, fields: Markup) -> Markup:
    """``fields``: the hidden ones that all forms send. Whole lines share one form."""
    form = f'<form method="post" action="{escape(address)}">{fields}'
    parts = [f'\n<form id="do" method="post" action="{escape(address)}">{fields}</form>']
    if can.back:
        every = escape(_("All actions"))
        parts.append(f'\n<p><a href="{escape(can.back)}">{every}</a></p>')
    parts += (_group(group, form) for group in can.groups)
    if can.hints:
        parts.append(f'\n<ul class="sentences">{"".join(f"<li>{escape(line)}</li>" for line in can.hints)}</ul>')
    return Markup("".join(parts))


def _group(group: GroupInWords, form: str) -> str:
    lines = "".join(f"\n  <li>{''.join(_line(it, form))}</li>" for it in group.lines)
    listed = f'\n<ul class="deeds">{lines}\n</ul>'
    if group.folded:
        return f"\n<details><summary>{escape(group.name)}</summary>{listed}\n</details>"
    return f"\n<h3>{escape(group.name)}</h3>{listed}"


def _line(it: ActionLine, form: str) -> Iterator[str]:
    if it.choices or it.amount:
        yield _with_a_blank(it, form)
    elif it.boxes:
        yield _with_boxes(it, form)
    else:
        yield _button(it.deed, _remark(it.deed))
    for each in it.extras:
        yield f" {_button(each)}"
    if it.more:
        ways = _("{count} other ways", count=it.more) if it.more > 1 else _("1 other way")
        yield f' <a href="{escape(it.address)}">{escape(ways)}</a>'


def _button(deed: Worded, remark: str = "") -> str:
    return f'<button form="do" name="command" value="{escape(deed.command)}">{escape(deed.text)}{remark}</button>'


def _remark(deed: Worded) -> str:
    return f' <span class="quiet">({escape(deed.remark)})</span>' if deed.remark else ""


def _with_a_blank(it: ActionLine, form: str) -> str:
    """Return a form for one of several things, or for a number."""
    blank = _amount(it) if not it.choices else _choice(it.choices)
    says = escape(it.says)
    verb = f'<span data-says="{says}">{says}</span>' if says else f"<span>{escape(it.verb)}</span>"
    label = f"<label>{escape(it.deed.text)}{_remark(it.deed)}"
    return f'{form}{label} {blank} <button type="submit">{verb}</button></form>'


def _choice(choices: Iterable[Worded]) -> str:
    options = "".join(f'<option value="{escape(each.command)}">{escape(each.text)}</option>' for each in choices)
    return f'<select name="command">{options}</select></label>'


def _amount(it: ActionLine) -> str:
    number = it.amount
    assert number is not None
    steps = ", " + escape(_("in steps of {step}", step=number.step)) if number.step > 1 else ""
    value = "" if it.empty else number.usual
    return (
        f'<span class="quiet">{number.low}–{number.high}{steps}</span> <input type="number" name="value"'
        f' value="{value}" min="{number.low}" max="{number.high}" step="{number.step}" required></label>'
        f'<input type="hidden" name="command" value="{escape(it.deed.command)}">'
        f'<input type="hidden" name="field" value="{escape(number.field)}">'
    )


def _with_boxes(it: ActionLine, form: str) -> str:
    """Return a form for things that may be added together."""
    boxes = it.boxes
    assert boxes is not None
    ticks = "".join(
        f'<label><input type="checkbox" name="value" value="{escape(id_)}">{escape(words)}</label>'
        for id_, words in boxes.boxes
    )
    return (
        f'{form}<input type="hidden" name="command" value="{escape(boxes.command)}">'
        f'<input type="hidden" name="field" value="{escape(boxes.field)}">'
        f'<fieldset class="check"><legend>{escape(it.deed.text)}{_remark(it.deed)}</legend>{ticks}</fieldset>'
        f' <button type="submit">{escape(it.verb)}</button></form>'
    )
