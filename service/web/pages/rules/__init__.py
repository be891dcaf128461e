"""Pages of text for all visitors: rules, words of orders, credits."""

from flask import Blueprint

room = Blueprint("rules", __name__)
