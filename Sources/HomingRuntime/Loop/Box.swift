/// A value that C holds for a callback of ours, and gives back with each call.
public final class Box<Value> {
    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// Returns the pointer that C is given. C holds the value until C calls `releaseBox`.
    public static func retain(_ value: Value) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(Box(value)).toOpaque()
    }

    /// Returns the value of the pointer that C gave back.
    public static func value(_ pointer: UnsafeMutableRawPointer) -> Value {
        Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue().value
    }
}

/// The end of what `Box.retain` made.
public func releaseBox(_ pointer: UnsafeMutableRawPointer?) {
    if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
}
