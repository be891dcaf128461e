"""The rules, one module per chapter of the catalogue, in its order.

Each function states one rule: its docstring is the number and the rule in a sentence. Those that answer a command
take ``(state, seat, command, chance)`` and give its events; every refusal comes before chance is asked, so that a
command can be tried without it (GTJ 18.7). ``mine`` is always the acting seat's `Seat`. Chapters refer to each other
as the rulebook's do, so they import modules and not names.
"""
