"""Imports for forked children of the tests: libraries and the service, nothing that reads the environment."""

import gc
from importlib import import_module

for name in (
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.concurrency.thread",
    "celery.worker.consumer",
    "kombu.transport.filesystem",
    "kombu.transport.redis",
    "psycopg",
    "config.celery",
    "config.logging",
    "service.cli.main",
    "service.web.app",
    "tests.service.lanterns",
    "tests.toy",
    "workers.bots",
    "workers.clocks",
    "workers.housekeeping",
    "workers.incoming",
    "workers.outbox",
    "workers.webhooks",
):
    import_module(name)

gc.freeze()
