import HomingHTTP
import HomingBase
