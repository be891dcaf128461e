"""Redis as kombu has it, with a repair. It is loaded where it is the broker alone: at home it would take 10 MB."""

from kombu.transport import redis


class RedisChannel(redis.Channel):
    """A worker that loses Redis with a message in its hands wants to give it back or to acknowledge it over a
    connection that is gone, and dies of that. Here it lets go: a message is only a hint, and Redis gives it back when
    it has waited for a minute.
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
