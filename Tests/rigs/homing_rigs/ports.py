"""Ports on loopback, for servers of tests: no two of this machine's runs are given the same one."""

import errno
import fcntl
import os
import pathlib
import random
import socket
import tempfile
import threading

_lock = threading.Lock()
_handed_out = set()
_reservations = None  # a file, of which each run locks the bytes of its ports


def free_port(host="127.0.0.1"):
    """A TCP port that nothing listens on now and that neither this run nor another of now was given before. It lies
    below the range from which the kernel takes ports for outgoing connections, so that it can be left and taken again."""
    with _lock:
        while True:
            port = random.randrange(15000, 32000)
            if port not in _handed_out and _reserve(port) and _is_free(host, port):
                _handed_out.add(port)
                return port


def _reserve(port):
    """Whether it is ours, until this process ends: between now and its first use, another run may look for a port too."""
    global _reservations
    if _reservations is None:
        path = pathlib.Path(tempfile.gettempdir(), f"homing-rigs-ports-{os.getuid()}")
        _reservations = open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+b")
    try:
        fcntl.lockf(_reservations, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _is_free(host, port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as problem:
            if problem.errno != errno.EADDRINUSE:
                raise
            return False
    return True


def listens(port, host="127.0.0.1"):
    """Whether something accepts connections there."""
    try:
        socket.create_connection((host, port), 1).close()
        return True
    except OSError:
        return False
