"""What comes in by mail, from bytes to values: limits, lines a person wrote, machines, reports, who it is from.

It is kept (``inbox``) before it is read; nothing here sends or acts. What comes in is hostile until it is proved to be
dull: it is counted before it is parsed (``limits``), and parsed in a child that may be killed (``child``).
"""
