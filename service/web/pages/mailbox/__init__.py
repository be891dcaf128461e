"""The local mailbox, at the machine of the service alone."""

from flask import Blueprint

room = Blueprint("mailbox", __name__)
