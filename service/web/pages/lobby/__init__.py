"""Lists of games, and opening a new one."""

from flask import Blueprint

room = Blueprint("lobby", __name__)
