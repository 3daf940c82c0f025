internal import CLinux
internal import Glibc

/// Looks at bytes where they lie, as fast as the C library does.
extension UnsafeBufferPointer<UInt8> {
    /// The bytes after a beginning; `nil` if the buffer begins otherwise.
    public func after(_ start: StaticString) -> UnsafeBufferPointer<UInt8>? {
        let length = start.utf8CodeUnitCount
        guard let baseAddress, count >= length, memcmp(baseAddress, start.utf8Start, length) == 0
        else { return nil }
        return UnsafeBufferPointer(start: baseAddress + length, count: count - length)
    }

    /// Whether a text is somewhere in the buffer.
    public func contains(_ text: StaticString) -> Bool {
        guard let baseAddress, count > 0 else { return false }
        return memmem(baseAddress, count, text.utf8Start, text.utf8CodeUnitCount) != nil
    }
}
