"""NER 3.1, 19.2: whose answer the game waits for, and in which step; the guards every command passes."""

from domain.new_england.state import State
from domain.refusal import Refused


def demand_step(state: State, step: int) -> None:
    """NER 3.1 A command for another step than the present one is refused."""
    if state.step != step:
        raise Refused("NER 3.1", "This is step {step}; what you ask for belongs to step {other}.",
                      step=state.step, other=step)  # fmt: skip


def demand_go(seat: int, asked: tuple[int, ...]) -> None:
    """NER 19.2 In steps 7 and 8 exactly one seat is asked at a time, and only it may answer."""
    if seat not in asked:
        raise Refused("NER 19.2", "It is the turn of {seat} to answer.", seat=asked[0])
