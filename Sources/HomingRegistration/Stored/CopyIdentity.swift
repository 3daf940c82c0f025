internal import Glibc
internal import HomingCrypto
public import HomingRuntime

/// The identity of a machine whose disk is a copy of a marked image: `device-id` in the state
/// folder. A copy keeps the image's machine id, by which all copies would be one device.
public struct CopyIdentity: Sendable {
    private static let digits = 32

    private let state: String
    private var path: String { "\(state)/device-id" }

    /// - Parameter state: the state folder of all homes.
    public init(state: String) { self.state = state }

    /// Makes another identity, and returns it. Throws where the file cannot be written.
    public func renew() throws(SystemError) -> String {
        let text = RandomToken.hex(bytes: Self.digits / 2)
        try AtomicFile.write([UInt8]("\(text)\n".utf8), to: path)
        return text
    }

    /// The identity, 32 hexadecimal digits; `nil` where this machine is no copy. A file that cannot be used
    /// gives an identity of this moment: two machines must not share a device.
    public func read() -> String? {
        do throws(SystemError) {
            let text = String(decoding: try AtomicFile.read(path, limit: 80), as: UTF8.self)
                .filter { !$0.isWhitespace }
            if text.utf8.count == Self.digits, text.allSatisfy(\.isHexDigit) { return text }
        } catch {
            if error.isNotFound { return nil }
        }
        return RandomToken.hex(bytes: Self.digits / 2)
    }
}
