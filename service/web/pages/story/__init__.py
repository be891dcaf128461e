"""The history of a game: its moves, past positions, and the proof that nothing was changed."""

from flask import Blueprint

room = Blueprint("story", __name__)
