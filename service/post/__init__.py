"""Incoming mail, from bytes to values: limits, the lines of its writer, machines, reports, authors.

A mail is stored (``inbox``) before it is read; nothing here sends or acts. All mail counts as hostile: its parts are
counted before it is parsed (``limits``), and a child process that may be killed parses it (``child``).
"""
