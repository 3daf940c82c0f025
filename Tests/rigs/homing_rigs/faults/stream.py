"""Carries out the steps of toxics on an asyncio connection."""

import asyncio
import socket
import struct

from .toxics import End, Pause


class Ended(Exception):
    """A toxic has ended the stream; `.end` says how."""

    def __init__(self, end):
        super().__init__(end.value)
        self.end = end


async def perform(steps, writer):
    """Write what the steps say; raises Ended if they end the stream (after closing or resetting it)."""
    for step in steps:
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
        elif isinstance(step, End):
            if step is End.RESET:
                await writer.drain()
                reset(writer)
            elif step is End.CLOSE:
                await writer.drain()
                writer.close()
            raise Ended(step)
        else:
            writer.write(step)
            await writer.drain()


def reset(writer):
    """End a connection by a TCP reset."""
    there = writer.get_extra_info("socket")
    if there is not None and there.fileno() >= 0:
        there.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def no_delay(writer):
    """Send each piece at once, so that pieces arrive as they were cut."""
    there = writer.get_extra_info("socket")
    if there is not None and there.family in (socket.AF_INET, socket.AF_INET6):
        there.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
