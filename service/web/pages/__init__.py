"""The pages: rendered by the server, usable without scripts, in English and German, for any screen.

Each folder is a room, named after its purpose: a blueprint, its views, and the templates beside them. All rooms are
nested in one blueprint (`frame`), whose guard of forms therefore holds in each of them.
"""

from werkzeug.utils import find_modules, import_string

from service.web.pages import (
    account,
    front,
    lessons,
    live,
    lobby,
    mail,
    mailbox,
    operators,
    rules,
    sandbox,
    story,
    table,
    text,
)
from service.web.pages.frame import pages as blueprint

__all__ = ["blueprint"]

for module in find_modules(__name__, recursive=True):
    import_string(module)
for each in (account, front, lessons, live, lobby, mail, mailbox, operators, rules, sandbox, story, table, text):
    blueprint.register_blueprint(each.room)
