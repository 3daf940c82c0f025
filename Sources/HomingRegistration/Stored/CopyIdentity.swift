internal import Glibc
internal import HomingCrypto
public import HomingRuntime

/// The identity of a machine whose disk is a copy of a marked image: `device-id` in the state folder. A copy keeps
/// the image's machine id, by which all copies would be one device.
public struct CopyIdentity: Sendable {
    private static let digits = 32

    private let path: String

    /// - Parameter state: the state folder of all homes.
    public init(state: String) { path = "\(state)/device-id" }

    /// Makes another identity. Throws where the file cannot be written.
    public func renew() throws(SystemError) {
        let text = RandomToken.hex(bytes: Self.digits / 2)
        try AtomicFile.write(
            [UInt8]("\(text)\n".utf8), to: path, owner: Folders.owner(of: path))
    }

    /// The identity, 32 hexadecimal digits; `nil` where this machine is no copy. Where the file cannot be used, an
    /// identity of this moment: a second device in Home Assistant is better than two machines in one device.
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
