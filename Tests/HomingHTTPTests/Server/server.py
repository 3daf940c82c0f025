#!/usr/bin/python3
"""Servers that behave well and badly, over TCP and over TLS with certificates good and bad.

Prints one line, `name=value` pairs: the port of each listener, and the files a client needs. The
files are in memory (memfd_create), readable as /proc/PID/fd/N, and go when this process does.
"""
import itertools
import json
import os
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time

import homeassistant
import websocket

connections = itertools.count(1)


def answer(body=b"{}", status=b"200 OK", headers=b"", length=None):
    size = len(body) if length is None else length
    return (b"HTTP/1.1 %s\r\nContent-Type: application/json; charset=utf-8\r\n"
            b"Content-Length: %d\r\n%s\r\n%s" % (status, size, headers, body))


def http_date(seconds):
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(seconds)).encode()


def flood(sock, head, piece):
    """Sends for as long as the client reads."""
    sock.sendall(head)
    while True:
        sock.sendall(piece)


def reply(sock, path, raw, number, count):
    """Answers one request; returns whether the connection stays open."""
    if path == "/echo":
        sock.sendall(answer(raw))
    elif path == "/count":
        sock.sendall(answer(b"%d %d %d" % (number, count, len(raw))))
    elif path in ("/date", "/otherclock", "/undated"):
        now = 1e9 if path == "/otherclock" else time.time()
        date = b"" if path == "/undated" else b"Date: %s\r\n" % http_date(now)
        sock.sendall(answer(b"", b"429 Too Many Requests", date + b"Retry-After: %s\r\n" % http_date(now + 120)))
    elif path == "/seconds":
        sock.sendall(answer(b"", b"503 Service Unavailable", b"Retry-After: 7\r\n"))
    elif path == "/redirect":
        sock.sendall(answer(b"", b"302 Found", b"Location: /echo\r\n"))
    elif path == "/cookie":
        sock.sendall(answer(headers=b"Set-Cookie: a=b; Path=/\r\n"))
    elif path == "/resumed":
        sock.sendall(answer(b"%d" % sock.session_reused))
    elif path == "/slow":
        time.sleep(0.3)
        sock.sendall(answer())
    elif path == "/silent":
        time.sleep(60)
    elif path == "/half":
        sock.sendall(answer(b"[1, 2", length=500))
        return False
    elif path == "/cuthead":
        sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Ty")
        return False
    elif path == "/cutline":
        sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
        return False
    elif path == "/hangup":
        return False
    elif path == "/leave":
        sock.sendall(answer(b"%d" % number))
        return False
    elif path == "/limit":
        sock.sendall(answer(b"x" * (1 << 20)))
    elif path == "/announced":
        sock.sendall(answer(b"x", length=(1 << 20) + 1))
    elif path == "/huge":
        flood(sock, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
              b"10000\r\n" + b"x" * 65536 + b"\r\n")
    elif path == "/trailer":
        sock.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                     b"2\r\n{}\r\n0\r\nX-Sum: 1\r\nRetry-After: 5\r\n\r\n")
    elif path == "/cuttrailer":
        sock.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Su")
        return False
    elif path == "/headers":
        flood(sock, b"HTTP/1.1 200 OK\r\n", b"X-Filler: " + b"x" * 1000 + b"\r\n")
    elif path == "/line":
        flood(sock, b"HTTP/1.1 200 OK\r\nX-Filler: ", b"x" * 65536)
    elif path == "/continue":
        flood(sock, b"", b"HTTP/1.1 100 Continue\r\nX: y\r\n\r\n")
    elif path == "/folded":
        sock.sendall(b"HTTP/1.1 200 OK\r\n X-Filler: " + b"x" * 2000 + b"\r\nContent-Length: 2\r\n\r\n{}")
    elif path == "/garbage":
        sock.sendall(b"SSH-2.0-OpenSSH_9.2 " + path.encode() + b"\r\n\r\n")
        return False
    else:
        sock.sendall(answer())
    return True


def serve(sock, number):
    buffer = b""
    for count in itertools.count(1):
        while b"\r\n\r\n" not in buffer:
            piece = sock.recv(65536)
            if not piece:
                return
            buffer += piece
            if buffer[0] == 0x16:
                # The beginning of TLS, to which a server of plain HTTP says this; late enough for who waits in vain.
                time.sleep(1)
                sock.sendall(answer(b"", b"400 Bad Request"))
                return
        head = buffer.split(b"\r\n\r\n")[0]
        if b"\r\nupgrade: websocket" in head.lower():
            websocket.serve(sock, head, buffer[len(head) + 4:])
            return
        size = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        end = len(head) + 4 + size
        while len(buffer) < end:
            buffer += sock.recv(65536)
        raw, buffer = buffer[:end], buffer[end:]
        target = head.split(b" ")[1].decode()
        if target.startswith("/ha/"):
            status, value = homeassistant.rest(target, raw[len(head) + 4:])
            sock.sendall(answer(json.dumps(value).encode(), b"%d OK" % status))
            continue
        # The first piece of the path says how to behave; the rest stands for what is secret.
        path = "/" + head.split(b" ")[1].decode().split("?")[0].split("/")[1]
        if not reply(sock, path, raw, number, count):
            return


def handle(sock, context, abrupt):
    try:
        if context:
            sock = context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
            sock.do_handshake()
        serve(sock, next(connections))
    except OSError:
        # An alert is read if the connection outlives it a little.
        time.sleep(0 if abrupt else 0.05)
    finally:
        sock.close()


def listen(context=None, abrupt=False):
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)

    def loop():
        while True:
            sock, _ = listener.accept()
            threading.Thread(target=handle, args=(sock, context, abrupt), daemon=True).start()

    threading.Thread(target=loop, daemon=True).start()
    return listener.getsockname()[1]


def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Authority:
    """A certificate authority made on the spot with openssl."""

    def __init__(self, folder, name):
        self.folder = folder
        self.name = name
        self.key, self.certificate = f"{folder}/{name}.key", f"{folder}/{name}.pem"
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                     "-nodes", "-keyout", self.key, "-out", self.certificate,
                     "-subj", f"/CN={name}", "-days", "30")
        open(f"{folder}/{name}.db", "w").close()
        with open(f"{folder}/{name}.conf", "w") as file:
            file.write(f"[ca]\ndefault_ca=a\n[a]\ndatabase={folder}/{name}.db\n"
                       f"new_certs_dir={folder}\nrand_serial=yes\ndefault_md=sha256\n"
                       f"policy=p\nunique_subject=no\ncopy_extensions=copy\n[p]\ncommonName=supplied\n")

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE)

    def issue(self, name, host="IP:127.0.0.1", start="20200101000000Z", end="20490101000000Z"):
        """Key and certificate in one file."""
        base = f"{self.folder}/{self.name}-{name}"
        self.openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                     "-keyout", f"{base}.key", "-out", f"{base}.csr", "-subj", f"/CN={name}",
                     "-addext", f"subjectAltName={host}")
        self.openssl("ca", "-batch", "-notext", "-config", f"{self.folder}/{self.name}.conf",
                     "-cert", self.certificate, "-keyfile", self.key, "-in", f"{base}.csr",
                     "-out", f"{base}.crt", "-startdate", start, "-enddate", end)
        with open(f"{base}.pem", "w") as file:
            file.write(open(f"{base}.key").read() + open(f"{base}.crt").read())
        return f"{base}.pem"


def tls(pair, client_authority=None, newest=None):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pair)
    if newest:
        context.maximum_version = newest
    if client_authority:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_authority)
    return context


def publish(path):
    descriptor = os.memfd_create("file")
    with open(path, "rb") as file:
        os.write(descriptor, file.read())
    return f"/proc/{os.getpid()}/fd/{descriptor}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        known, unknown = Authority(folder, "known"), Authority(folder, "unknown")
        good = known.issue("good")
        facts = {
            "plain": listen(),
            "refused": closed_port(),
            "good": listen(tls(good)),
            "unknown": listen(tls(unknown.issue("server"))),
            "expired": listen(tls(known.issue("expired", end="20210101000000Z"))),
            "future": listen(tls(known.issue("future", start="20480101000000Z"))),
            "named": listen(tls(known.issue("named", host="DNS:elsewhere.example"))),
            "selfsigned": listen(tls(self_signed(folder))),
            "mutual": listen(tls(good, known.certificate)),
            "abrupt": listen(tls(good, known.certificate), abrupt=True),
            "mutual12": listen(tls(good, known.certificate, ssl.TLSVersion.TLSv1_2)),
            "ca": publish(known.certificate),
            "client": publish(known.issue("client")),
            "stranger": publish(unknown.issue("stranger")),
        }
    print(" ".join(f"{name}={value}" for name, value in facts.items()), flush=True)
    signal.pause()


def self_signed(folder):
    base = f"{folder}/self"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{base}.key", "-out",
                    f"{base}.crt", "-subj", "/CN=self", "-days", "30",
                    "-addext", "subjectAltName=IP:127.0.0.1"], check=True, stderr=subprocess.DEVNULL)
    with open(f"{base}.pem", "w") as file:
        file.write(open(f"{base}.key").read() + open(f"{base}.crt").read())
    return f"{base}.pem"


main()
