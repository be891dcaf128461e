"""Live pages: the tokens of a browser's stream, and whether a game waits for its reader."""

from flask import Blueprint

room = Blueprint("live", __name__)
