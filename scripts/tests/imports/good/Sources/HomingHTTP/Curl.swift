internal import CCurl
internal import HomingBase
