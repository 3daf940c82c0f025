/// Whoever has the loop has its time, its bounds and its texts.
@_exported public import HomingBase
