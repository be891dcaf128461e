"""Incoming mail: a corpus made here, of answers by mail programs, machines and reports, with the expected results."""
