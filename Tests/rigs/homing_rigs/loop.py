"""One asyncio loop in a thread of its own, shared by all of the run's small servers."""

import asyncio
import threading

_loop = None
_lock = threading.Lock()


def shared():
    """The loop."""
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="rig loop", daemon=True).start()
    return _loop


def on_loop(coroutine, seconds=30):
    """Run a coroutine on the shared loop, from another thread, and return its result."""
    return asyncio.run_coroutine_threadsafe(coroutine, shared()).result(seconds)


def call(function, *arguments):
    """Run a plain function on the shared loop, from another thread, and return its result: what it changes cannot be
    seen half done by the servers."""

    async def run():
        return function(*arguments)

    return on_loop(run())
