import HomingTransport
import CGPS
