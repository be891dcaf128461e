"""The frame of all pages: the reader, their language, the guard of forms, the layout, and the style.

Each room is a blueprint nested in `pages`, so the guard of forms and the language hold there, too.
"""

from flask import Blueprint

pages = Blueprint("pages", "service.web.pages", template_folder=".")
