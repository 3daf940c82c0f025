"""As much of Home Assistant as its push channel needs, with the behaviour of mobile_app/push_notification.py: what is
not confirmed in time ends the channel, silently. Everything is below /ha; the token is "token". A POST to /ha/manner/NAME
has it misbehave from then on: `fragments` its messages byte by byte, `floods` with what nobody asked for, `lies` by
telling twice and of what never was, `stalls` within each message.
"""
import json
import threading
import time

import websocket

CONFIRM_TIMEOUT = 2.0  # 10 s in Home Assistant


class Channel:
    def __init__(self, sock, number):
        self.sock, self.number, self.pending = sock, number, {}


lock = threading.Lock()
channel = None
count = 0
manner = ""


def rest(path, body):
    """The answer to a REST call: status and JSON."""
    global manner
    if path.startswith("/ha/manner/"):
        manner = path.rpartition("/")[2]
        return 200, {}
    if path == "/ha/api/mobile_app/registrations":
        return 201, {"webhook_id": "webhook", "secret": None, "cloudhook_url": None, "remote_ui_url": None}
    if path.startswith("/ha/api/services/notify/"):
        notify(json.loads(body))
        return 200, []
    if path == "/ha/drop":
        with lock:
            if channel:
                channel.sock.shutdown(2)
        return 200, {}
    return 404, {}


def end():
    """The channel goes, and what is pending is lost: there is no push_url."""
    global channel
    channel = None


def notify(data):
    global count
    with lock:
        if not channel:
            return
        count += 1
        confirm, current = f"confirm-{count}", channel
        current.pending[confirm] = data["message"]
        say(current.sock, {"id": current.number, "type": "event", "event": {**data, "hass_confirm_id": confirm}})

    def late():
        with lock:
            if channel is current and confirm in current.pending:
                end()

    threading.Timer(CONFIRM_TIMEOUT, late).start()


def say(sock, message):
    data = json.dumps(message).encode()
    if manner == "fragments":
        middle = len(data) // 2
        for byte in (websocket.frame(websocket.TEXT, data[:middle], final=False)
                     + websocket.frame(websocket.CONTINUATION, data[middle:])):
            sock.sendall(bytes([byte]))
        return
    frame = websocket.frame(websocket.TEXT, data)
    if manner == "floods":
        other = websocket.frame(websocket.TEXT, b'{"id": 7777, "type": "event", "event": {"message": "not ours"}}')
        sock.sendall((websocket.frame(websocket.PING, b"p") + other) * 200)
    if manner == "stalls":
        sock.sendall(frame[:len(frame) // 2])
        time.sleep(0.2)
        frame = frame[len(frame) // 2:]
    sock.sendall(frame)
    if manner == "lies" and message["type"] in ("event", "result", "pong"):
        lie = {"id": 9999, "type": "result", "success": False, "error": {"code": "not_found", "message": "a lie"}}
        sock.sendall(frame + websocket.frame(websocket.TEXT, json.dumps(lie).encode()))


def converse(sock, client):
    """One connection to /api/websocket."""
    say(sock, {"type": "auth_required", "ha_version": "2026.11.0"})
    opcode, text = client.frame()
    while opcode == websocket.PONG:  # to what it was flooded with
        opcode, text = client.frame()
    if json.loads(text).get("access_token") != "token":
        say(sock, {"type": "auth_invalid", "message": "Invalid access token or password"})
        return
    say(sock, {"type": "auth_ok", "ha_version": "2026.11.0"})
    try:
        while True:
            opcode, text = client.frame()
            if opcode == websocket.CLOSE:
                return
            if opcode == websocket.TEXT:
                with lock:
                    answer(sock, json.loads(text))
    finally:
        with lock:
            if channel and channel.sock is sock:
                end()


def answer(sock, message):
    global channel
    number, kind = message["id"], message["type"]

    def result(found=True, value=None):
        if found:
            say(sock, {"id": number, "type": "result", "success": True, "result": value})
        else:
            say(sock, {"id": number, "type": "result", "success": False,
                       "error": {"code": "not_found", "message": "not found"}})

    if kind == "ping":
        say(sock, {"id": number, "type": "pong"})
    elif kind == "mobile_app/push_notification_channel":
        end()
        channel = Channel(sock, number)
        result()
    elif kind == "mobile_app/push_notification_confirm":
        result(bool(channel and channel.pending.pop(message["confirm_id"], None)))
    elif kind == "webhook/handle":
        time.sleep(0.01)
        result(value={"body": message["body"], "status": 200, "headers": {}})
    else:
        result(False)
