"""Sends what a receiver on a pty says as UDP datagrams, to a gpsd on a machine that cannot see the pty.

A process of its own, in that machine's network: `gps_udp.py DEVICE PORT`. gpsd reads it as udp://127.0.0.1:PORT.
From outside it: `gps_udp.py DEVICE PORT HOST`.
"""

import socket
import sys


def main(device, port, host="127.0.0.1"):
    with open(device, "rb", buffering=0) as receiver, socket.socket(type=socket.SOCK_DGRAM) as line:
        rest = b""
        while chunk := receiver.read(4096):
            *sentences, rest = (rest + chunk).split(b"\n")
            for sentence in sentences:
                line.sendto(sentence + b"\n", (host, int(port)))


if __name__ == "__main__":
    main(*sys.argv[1:])
