"""Sealed webhook bodies: whether one is sealed and nothing else, and opening it with the registration's secret."""

import base64
import binascii
import json
from typing import Any, NamedTuple

import nacl.exceptions
import nacl.secret
import nacl.utils

SEALED_KEYS = {"type", "encrypted", "encrypted_data"}
OVERHEAD = 24 + 16  # nonce and authenticator


class Command(NamedTuple):
    """A webhook command as it was meant. `reply` is the opened reply, the plain JSON if it was not sealed, None
    if there was no body. `problem` says why something could not be opened; what is affected is None then."""

    time: float
    type: str | None
    data: Any
    status: int | None
    reply: Any
    problem: str | None


def violation(body):
    """What is wrong with a request body that must be sealed; None if nothing is."""
    try:
        content = json.loads(body)
    except ValueError:
        return "not JSON"
    if not isinstance(content, dict):
        return "not an object"
    if set(content) != SEALED_KEYS:
        return f"keys {sorted(content)}"
    if not isinstance(content["type"], str) or content["type"] in ("", "encrypted"):
        return f"type {content['type']!r}"
    if content["encrypted"] is not True or not isinstance(content["encrypted_data"], str):
        return "not sealed"
    try:
        if len(base64.b64decode(content["encrypted_data"], validate=True)) <= OVERHEAD:
            return "too short for nonce, authenticator and content"
    except binascii.Error:
        return "not padded Base64 of the standard alphabet"
    return None


def seal(content, secret):
    """`encrypted_data` for a value, with the secret of a registration (64 hex digits)."""
    box = nacl.secret.SecretBox(bytes.fromhex(secret))
    return base64.b64encode(box.encrypt(json.dumps(content).encode())).decode()


def unseal(encrypted_data, secret):
    """The value that was sealed; raises ValueError if it does not open."""
    try:
        box = nacl.secret.SecretBox(bytes.fromhex(secret))
        return json.loads(box.decrypt(base64.b64decode(encrypted_data, validate=True)))
    except (nacl.exceptions.CryptoError, binascii.Error) as problem:
        raise ValueError(f"does not open: {problem}") from None


def open_exchange(exchange, secret):
    """An exchange of a recorder as a Command."""
    kind = data = reply = problem = None
    try:
        content = json.loads(exchange.body)
        kind = content.get("type")
        data = unseal(content["encrypted_data"], secret) if content.get("encrypted") else content.get("data")
        if exchange.reply:
            reply = json.loads(exchange.reply)
            if isinstance(reply, dict) and reply.get("encrypted"):
                encrypted, reply = reply["encrypted_data"], None
                reply = unseal(encrypted, secret)
    except (ValueError, KeyError, AttributeError) as caught:
        problem = repr(caught)
    return Command(exchange.time, kind, data, exchange.status, reply, problem)
