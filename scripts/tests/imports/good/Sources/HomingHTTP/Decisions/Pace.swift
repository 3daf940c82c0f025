public import HomingBase
