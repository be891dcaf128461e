"""The rules, one module per chapter of the catalogue, in its order.

Each function states one rule: its docstring is the number and the rule in a sentence. Those that answer a command are
``rule(now, command)``; guards are called ``must_...`` and stand before all that happens and before chance is asked, so
that a command can be tried without either (GTJ 18.7). ``mine`` is always the acting seat's `Seat`. What several
chapters ask of the steps and of the hand is below them, in `steps` and `hand`, so that no two modules need each other.
"""
