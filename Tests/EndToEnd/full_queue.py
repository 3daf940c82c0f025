"""A program that hangs: nobody takes its connections."""

import contextlib
import socket


@contextlib.contextmanager
def full_queue(path):
    """Fill the queue of the program that listens there, and takes no connections."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(BlockingIOError):
            while True:
                one = stack.enter_context(socket.socket(socket.AF_UNIX))
                one.setblocking(False)
                one.connect(str(path))
        yield
