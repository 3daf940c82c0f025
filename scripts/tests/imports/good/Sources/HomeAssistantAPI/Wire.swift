public import HomingJSON
