internal import CGPS
internal import HomingHTTP
