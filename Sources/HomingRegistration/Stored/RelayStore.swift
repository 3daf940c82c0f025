internal import Glibc
internal import HomingCrypto
internal import HomingJSON
public import HomingRuntime

/// Keeps this machine's membership in its relay in `relay.json`, readable by its owner only.
public struct RelayStore: Sendable {
    /// The reason why there is nothing to work with, for people, without the file's content.
    public struct Failure: Error, Equatable, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// Bytes of the file.
    private static let limit = 64 << 10

    /// The file.
    public let path: String

    /// - Parameter directory: the state folder of the home (`HomeFolders.state`).
    public init(directory: String) {
        path = Self.path(in: directory)
    }

    /// The file of a home with this state folder.
    public static func path(in directory: String) -> String { "\(directory)/relay.json" }

    /// The stored membership; `nil` if this machine has joined no relay.
    public func load() throws(Failure) -> RelayMembership? {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw Failure(
                description:
                    "\(path) is open to other users (mode \(mode)). Run: chmod 600 \(path). If others "
                    + "may have read the file, run: homing relay join --new-key")
        }
        let content: [UInt8]
        do throws(SystemError) { content = try AtomicFile.read(path, limit: Self.limit) } catch {
            if error.isNotFound { return nil }
            throw Failure(description: "\(error)")
        }
        guard let membership = try? JSON.decode(RelayMembership.self, from: content),
            membership.version <= RelayMembership.currentVersion,
            (try? SecretKey(hexadecimal: membership.secretKey)) != nil,
            membership.front.map({ VerifyKey(hexadecimal: $0.verifyKey) != nil }) ?? true
        else {
            throw Failure(
                description:
                    "\(path) is damaged or of a newer Homing: restore it, or delete it and "
                    + "run: homing relay join")
        }
        return membership
    }

    /// Replaces what is kept.
    public func save(_ membership: RelayMembership) throws(SystemError) {
        // Text and whole numbers alone: nothing in it can fail to be encoded.
        let content = (try? JSON.bytes(membership, pretty: true)) ?? []
        try AtomicFile.write(content + [0x0A], to: path)
    }

    /// Deletes the file; does nothing without a file.
    public func delete() throws(SystemError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw SystemError("cannot delete \(path)")
    }
}
