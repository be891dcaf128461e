"""Processes that run a function of a test, to see what several of them make of one store.

They are forked from a process that has imported the service and done nothing else: a child inherits no connection, no
thread and no patch of the tests, and begins at once.
"""

import multiprocessing

CHILDREN = multiprocessing.get_context("forkserver")
CHILDREN.set_forkserver_preload(["tests.service.lanterns", "tests.toy"])
