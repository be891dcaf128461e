"""Live pages: streams that carry ticks to browsers and programs. This room knows the settings and `base` alone.

A stream is an answer that goes on (``text/event-stream``): a line as soon as it begins, then a line for each tick, with
the id of the game. Its tokens say what it hears, so it needs no database. In production a process of its own holds the
streams (`hub`); in the embedded profile the web process does (`service.web.streaming`).
"""
