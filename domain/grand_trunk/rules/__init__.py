"""The rules, one module per chapter of the catalogue, in its order.

Each function states one rule: its docstring is the number and the rule in a sentence. A function that answers a command
is ``rule(now, command)``. Guards are called ``must_...`` and stand before every event and every draw, so that a command
can be tried without either (GTJ 18.7). ``mine`` is always the acting seat's `Seat`. Questions of several chapters about
steps and hand are in `steps` and `hand`, below the chapters, so that no two modules need each other.
"""
