"""Links in emails that act without a sign-in: one-tap moves, confirmations, and stopping email."""

from flask import Blueprint

room = Blueprint("mail", __name__)
