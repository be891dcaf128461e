"""The area of operators: waiting work, people, games, emails and webhooks, and actions on them, each with a reason.

Everybody else is told that there is no such page. A running game shows only what everybody may know of it.
"""

from flask import Blueprint

room = Blueprint("operators", __name__)
