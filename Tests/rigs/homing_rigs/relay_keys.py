"""The keys of a device of the push relay, and what they open (docs/decisions/0041): written anew, so that relay and
device cannot be wrong in the same way."""

import base64
import dataclasses
import hashlib
import struct

import nacl.bindings
import nacl.public
import nacl.secret

PUSH, CHALLENGE, GRANT = 1, 16, 32
_HEAD = struct.Struct(">B16s16sqq")
_TOKEN_SIZE = 72


def to_text(data):
    """Bytes as frames hold them."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def to_bytes(text):
    """The same back."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hashed(data, key, size=32):
    """BLAKE2b under a key."""
    return hashlib.blake2b(data, digest_size=size, key=key).digest()


@dataclasses.dataclass(frozen=True)
class Parcel:
    """What was sealed for a device. `purpose` is PUSH, or that of a notice."""

    purpose: int
    id: bytes
    mailbox: bytes
    arrived: int
    expires: int
    body: bytes


class DeviceKeys:
    """A pair, and what a relay has given for it."""

    def __init__(self):
        self._secret = nacl.public.PrivateKey.generate()
        self.public = bytes(self._secret.public_key)
        self.mailbox = hashed(self.public, b"homing relay mailbox", 16)
        self.token = None
        self._parcel_keys = {}
        self._opening = {}  # keys by (key id, sender): a curve for each hour of the relay, not for each parcel

    def take_grant(self, sealed):
        """Opens a relay's answer to a device that joins; from now on there is a token."""
        sender = sealed[2:34]
        text = _opened(sealed, hashed(b"homing relay grant" + sender + self.public, self._shared(sender)))
        assert text[0] == GRANT and len(text) == 1 + _TOKEN_SIZE + 32, "no grant"
        self.token = text[1:1 + _TOKEN_SIZE].decode()
        assert to_bytes(self.token.removeprefix("hr1."))[3:35] == self.public, "the token of another device"
        self._parcel_keys[sealed[1]] = text[1 + _TOKEN_SIZE:]

    def proof(self, challenge):
        """The answer to a challenge."""
        text = self._text(challenge)
        assert text[0] == CHALLENGE and len(text) == 33, "no challenge"
        return text[1:]

    def parcel(self, sealed):
        """What a parcel holds, which has to be this device's."""
        text = self._text(sealed)
        parcel = Parcel(*_HEAD.unpack_from(text), text[_HEAD.size:])
        assert parcel.purpose < CHALLENGE and parcel.mailbox == self.mailbox, "no parcel of this device's"
        return parcel

    def _shared(self, sender):
        return nacl.public.Box(self._secret, nacl.public.PublicKey(sender)).shared_key()

    def _text(self, sealed):
        which = sealed[1], sealed[2:34]
        if which not in self._opening:
            key_id, sender = which
            self._opening[which] = hashed(self._shared(sender) + sender + self.public, self._parcel_keys[key_id])
        return _opened(sealed, self._opening[which])


def _opened(sealed, key):
    """version 1, key id, sender's public key 32, nonce 24, box."""
    assert sealed[0] == 1, "another version"
    text = nacl.secret.SecretBox(key).decrypt(sealed[58:], sealed[34:58])
    return nacl.bindings.sodium_unpad(text, 256)
