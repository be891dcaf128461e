"""The blueprint of all pages. Rooms are nested in it, so the guard of forms and the language hold in each of them."""

from flask import Blueprint

pages = Blueprint("pages", "service.web.pages", template_folder=".")
