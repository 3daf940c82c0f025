/// Files that hold a token or a secret and nothing else.
public enum SecretFile {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Reads the file's words. White space between them and a byte order mark before them, which
    /// some editors write, are left out.
    ///
    /// - Parameter limit: bytes of the file.
    public static func words(
        _ path: String, limit: Int = 65536
    ) throws(SystemError) -> [String] {
        words(in: try AtomicFile.read(path, limit: limit))
    }

    /// The same of a content that was read.
    public static func words(in bytes: [UInt8]) -> [String] {
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .map { String($0) }
    }
}
