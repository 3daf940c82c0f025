internal import HomingBase
internal import Glibc
internal import HomingSources
