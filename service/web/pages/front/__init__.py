"""The entrance: the first page, signing in and out, and the nightly check."""

from flask import Blueprint

room = Blueprint("front", __name__)
