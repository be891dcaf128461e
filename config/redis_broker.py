"""kombu's transport for Redis, with a repair. Only production loads it: in the embedded profile it would take 10 MB."""

from kombu.transport import redis


class RedisChannel(redis.Channel):
    """A channel that survives the loss of Redis.

    If kombu's worker holds a message when it loses Redis, it tries to return or acknowledge it over the dead
    connection, and dies. This channel lets go: a message is only a hint, and Redis delivers it again after a minute.
    """

    do_restore = False

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        if not self.closed:
            super().basic_ack(delivery_tag, multiple)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        if not self.closed:
            super().basic_reject(delivery_tag, requeue)


class RedisTransport(redis.Transport):
    Channel = RedisChannel
