"""The fault lab: everything that can lie between Homing and its home, made to happen at will.

`toxics` are faults of a byte stream, one file each; `proxy` puts them on a connection, `server` on a single answer of a
Home Assistant that is played; `dns`, `tls` and `gpsd` are the other parts that can go wrong.
"""
