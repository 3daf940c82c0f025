"""A TCP port before another one, whose connections a test counts, cuts, freezes and turns away."""

import selectors
import socket
import struct
import threading

from . import processes


class Gate:
    """Carries bytes between its clients and a port of this machine, in one thread. `with Gate(port) as gate:`"""

    def __init__(self, target, host="127.0.0.1"):
        self.target, self.host, self.port = target, host, processes.free_port(host)
        self.accepted = 0
        self._pairs = {}  # socket -> the other end
        self._websockets, self._stuck = set(), set()
        self._lock = threading.RLock()
        self._clients = set()
        self._listener, self._frozen, self._ended = None, False, False
        self._is_one_way = False
        self._thread = threading.Thread(target=self._run, name="gate", daemon=True)
        self._selector = selectors.DefaultSelector()

    def __enter__(self):
        self.open()
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.close()
        self._ended = True
        self._thread.join(5)

    @property
    def url(self):
        return f"http://{self.host}:{self.port}"

    @property
    def count(self):
        """Connections that are open."""
        with self._lock:
            return len(self._pairs) // 2

    def open(self):
        """Let clients in."""
        with self._lock:
            self._listener = socket.create_server((self.host, self.port))
            self._selector.register(self._listener, selectors.EVENT_READ)

    def close(self):
        """Turn clients away, and cut those that are there."""
        with self._lock:
            if self._listener:
                self._selector.unregister(self._listener)
                self._listener.close()
                self._listener = None
        self.cut()

    def cut(self):
        """Reset every connection."""
        with self._lock:
            for end in list(self._pairs):
                self._drop(end)

    def freeze(self, frozen=True):
        """Carry nothing, and close nothing: the cable is out."""
        self._frozen = frozen

    def hold_clients(self, held=True):
        """Carry what the server says, and keep what clients say until they are let go."""
        self._is_one_way = held

    def freeze_websockets(self):
        """Carry nothing more on the WebSockets that are there now; all else is well."""
        with self._lock:
            for client in self._websockets & set(self._pairs) - self._stuck:
                for end in (client, self._pairs[client]):
                    self._selector.unregister(end)
                    self._stuck.add(end)

    def _drop(self, end):
        if end not in self._pairs:
            return  # went with its other end
        for one in (end, self._pairs.pop(end)):
            self._pairs.pop(one, None)
            self._websockets.discard(one)
            self._clients.discard(one)
            if one in self._stuck:
                self._stuck.discard(one)
            else:
                self._selector.unregister(one)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.close()

    def _run(self):
        while not self._ended:
            for key, _ in self._selector.select(0.05):
                with self._lock:
                    if key.fileobj is self._listener:
                        self._accept()
                    elif key.fileobj in self._pairs and not self._holds(key.fileobj):
                        self._carry(key.fileobj)
            if self._frozen or self._is_one_way:
                threading.Event().wait(0.02)

    def _holds(self, end):
        return self._frozen or (self._is_one_way and end in self._clients)

    def _accept(self):
        client, _ = self._listener.accept()
        self.accepted += 1
        try:
            server = socket.create_connection(("127.0.0.1", self.target), 5)
        except OSError:
            client.close()
            return
        self._clients.add(client)
        for one, other in ((client, server), (server, client)):
            self._pairs[one] = other
            self._selector.register(one, selectors.EVENT_READ)

    def _carry(self, end):
        try:
            data = end.recv(65536)
            if data:
                if data.startswith(b"GET /api/websocket"):
                    self._websockets.add(end)
                self._pairs[end].sendall(data)
                return
        except OSError:
            pass
        self._drop(end)
