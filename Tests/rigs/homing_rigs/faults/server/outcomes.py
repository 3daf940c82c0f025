"""How a command can end besides its reply."""

import dataclasses

PLAIN = 0  # in place of a status: 200, and in the clear though the registration seals from now on


class Refused(ValueError):
    """The schema does not allow it: Home Assistant answers `{}` and logs a line."""


class Failed(Exception):
    """The handler threw: Home Assistant answers 200 with nothing."""


@dataclasses.dataclass(frozen=True)
class Error:
    """A refusal in words, by its code; never sealed."""

    code: str
