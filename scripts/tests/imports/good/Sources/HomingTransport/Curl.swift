internal import CCurl
internal import HomingCore
