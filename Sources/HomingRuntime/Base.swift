/// Interfaces of the loop are made of times and texts of the base, so the loop re-exports the base.
@_exported public import HomingBase
