internal import CGPS
internal import HomingTransport
