import HomingHTTP
import CGPS
