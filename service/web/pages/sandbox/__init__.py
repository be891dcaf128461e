"""Sandboxes: trying out positions alone."""

from flask import Blueprint

room = Blueprint("sandbox", __name__)
