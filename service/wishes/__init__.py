"""Standing wishes for a game: *Find me a game*.

`wishes` holds the wishes of a person, `matching` finds groups that fit, as a pure function over plain data, and
`gathering` keeps seats for such groups, gives free seats to others, and closes tables that stay empty. The rows of kept
seats are in `service.games.kept`, because sitting down asks them.
"""
