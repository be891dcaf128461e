"""The text table: a game, a past position and a sandbox in words, for readers without a board."""

from flask import Blueprint

room = Blueprint("text", __name__)
