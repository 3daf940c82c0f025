"""Gives what a receiver on a pty says to whoever connects, as routers, gateways and Signal K servers do over TCP.

A process of its own: `gps_tcp.py DEVICE HOST PORT HEARD`. What clients write to it is appended to the file HEARD.
"""

import os
import select
import socket
import sys


def main(device, host, port, heard):
    receiver = os.open(device, os.O_RDONLY | os.O_NOCTTY)
    with socket.create_server((host, int(port))) as listener, open(heard, "ab", buffering=0) as notes:
        clients = []
        while True:
            for ready in select.select([receiver, listener, *clients], [], [])[0]:
                if ready is listener:
                    clients.append(listener.accept()[0])
                    continue
                data = os.read(receiver, 4096) if ready is receiver else _read(ready)
                if ready is not receiver and not data:
                    clients.remove(ready)
                    ready.close()
                elif ready is not receiver:
                    notes.write(data)
                else:
                    clients = [client for client in clients if _gives(client, data)]


def _read(client):
    try:
        return client.recv(4096)
    except OSError:
        return b""


def _gives(client, data):
    try:
        client.sendall(data)
        return True
    except OSError:
        return False


if __name__ == "__main__":
    main(*sys.argv[1:])
