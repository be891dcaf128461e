"""The mail server of ``mail``, a process of its own: it takes all mail and notes the time."""

import asyncio
import sys
import time
from typing import Any

from aiosmtpd.smtp import SMTP


def serve(port: int, file: str) -> None:
    """Take all mail and note its time and size."""
    with open(file, "a", buffering=1) as notes:

        class Handler:
            async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
                head = envelope.content.split(b"Message-ID:", 1)[-1][:300].decode("ascii", "replace")
                notes.write(f"{time.time_ns() // 1_000_000} {head.split()[0]} {len(envelope.content)}\n")
                return "250 OK"

        async def run() -> None:
            loop = asyncio.get_running_loop()
            server = await loop.create_server(lambda: SMTP(Handler(), hostname="bench"), "127.0.0.1", port)
            await server.serve_forever()

        asyncio.run(run())


def main() -> None:
    """Run with a port and a file."""
    serve(int(sys.argv[1]), sys.argv[2])


if __name__ == "__main__":
    main()
