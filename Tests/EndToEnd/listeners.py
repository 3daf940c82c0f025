"""Small servers of tests' own."""

import threading


def serve_each(listener, serve):
    """Calls serve(client) for each client of a listening socket, in a thread of its own, until the socket is shut down
    or closed."""
    def accept():
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(client,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
