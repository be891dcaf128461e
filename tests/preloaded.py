"""Imports for forked children of the tests: libraries and the service, nothing that reads the environment."""

import gc
from importlib import import_module

from PIL import Image

from service.letters import letter

for name in (
    "babel.dates",
    "celery.app.amqp",
    "celery.app.control",
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.concurrency.thread",
    "celery.events",
    "celery.worker.components",
    "celery.worker.consumer",
    "celery.worker.consumer.delayed_delivery",
    "css_inline",
    "encodings.idna",
    "kombu.transport.filesystem",
    "kombu.transport.redis",
    "psycopg",
    "config.celery",
    "config.logging",
    "service.cli.main",
    "service.games.pictures",
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

Image.preinit()
for template in letter._templates().list_templates():
    letter._templates().get_template(template)

gc.freeze()
