internal import CSodium

/// Hides how long a text is, up to a step: ISO/IEC 7816-4, 0x80 and zeros. sodium_pad(3).
public enum Padding {
    /// Bytes: every padded text is a multiple.
    public static let step = 256

    /// The text with 1 to 256 bytes behind it.
    public static func padded(_ text: [UInt8]) -> [UInt8] {
        let size = (text.count / step + 1) * step
        var padded = text
        padded.reserveCapacity(size)
        padded.append(contentsOf: repeatElement(0, count: size - text.count))
        var length = 0
        // The function fails only for sizes out of range.
        sodium_pad(&length, &padded, text.count, step, size)
        return padded
    }

    /// The text without the padding; `nil` if the text has no padding.
    public static func unpadded(_ padded: [UInt8]) -> [UInt8]? {
        guard !padded.isEmpty, padded.count.isMultiple(of: step) else { return nil }
        var length = 0
        guard sodium_unpad(&length, padded, padded.count, step) == 0 else { return nil }
        return Array(padded.prefix(length))
    }
}
