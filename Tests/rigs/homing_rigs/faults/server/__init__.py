"""The fault server: a Home Assistant that is played, and can be told to misbehave at any byte."""

from . import misdeeds  # noqa: F401 (part of this package's face)
from .fault_server import Exchange, FaultServer  # noqa: F401
from .misdeeds import Misdeed, Plan  # noqa: F401
