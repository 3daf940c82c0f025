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
            ready = select.select([receiver, listener, *clients], [], [])[0]
            if listener in ready:
                clients.append(listener.accept()[0])
            gone = [client for client in clients if client in ready and not _notes(client, notes)]
            if receiver in ready:
                data = os.read(receiver, 4096)
                gone += [client for client in clients if client not in gone and not _gives(client, data)]
            for client in gone:
                clients.remove(client)
                client.close()


def _notes(client, notes):
    """Notes what a client has written; whether it is still there."""
    try:
        data = client.recv(4096)
    except OSError:
        return False
    notes.write(data)
    return bool(data)


def _gives(client, data):
    """Whether the client is still there."""
    try:
        client.sendall(data)
        return True
    except OSError:
        return False


if __name__ == "__main__":
    main(*sys.argv[1:])
