"""Setting up an installation: what its settings name is tried, and files of settings and units are written.

It asks nobody and prints nothing; that is left to the commands.
"""
