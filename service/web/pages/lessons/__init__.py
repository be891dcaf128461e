"""Lessons: a game taught step by step, for anybody, with nothing stored."""

from flask import Blueprint

room = Blueprint("lessons", __name__)
