"""NER 3.1, 19.2: the seat that must answer, and the step; the guards every command passes."""

from domain.new_england.now import Now
from domain.refusal import Refused


def must_not_be_over(now: Now) -> None:
    """NER 17.4 No command is legal once the winners are named."""
    if now.state.winners:
        raise Refused("NER 17.4", "The game is over.")


def must_be_in_step(now: Now, step: int) -> None:
    """NER 3.1 The command must belong to the present step."""
    if now.state.step != step:
        raise Refused(
            "NER 3.1", "This is step {step}; your action belongs to step {other}.", step=now.state.step, other=step
        )


def must_be_asked(now: Now, asked: tuple[int, ...]) -> None:
    """NER 19.2 In steps 7 and 8 exactly one seat is asked at a time, and only it may answer."""
    if now.seat not in asked:
        raise Refused("NER 19.2", "{seat} must answer first.", seat=asked[0])
