"""The table of a game: taking a seat before it begins, and playing afterwards."""

from flask import Blueprint

room = Blueprint("table", __name__)
