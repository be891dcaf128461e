"""The account of a signed-in person: name, sign-ins, times, email and other channels."""

from flask import Blueprint

from service.web.pages.frame import signed_in

room = Blueprint("account", __name__)


@room.before_request
def only_signed_in() -> None:
    signed_in()
