internal import Glibc
public import HomeAssistantAPI
internal import HomingJSON
internal import HomingRuntime

/// Keeps the registration in `registration.json`, readable by its owner only.
public struct RegistrationStore: Sendable {
    /// The file.
    public let path: String
    private let directory: String
    private let credentials: RegistrationCredentials

    /// - Parameters:
    ///   - directory: the state folder of the home (`HomeFolders.state`); it must be there.
    ///   - credentials: those of the home.
    public init(directory: String, credentials: HomeCredentials) {
        self.directory = directory
        self.credentials = RegistrationCredentials(credentials)
        path = Self.path(in: directory)
    }

    /// The file of a home with this state folder.
    public static func path(in directory: String) -> String { "\(directory)/registration.json" }

    /// The registration, or `nil` if there is none; without its secret (`lacksSecret`) where that is
    /// nowhere, or another one than was noted. What the file lacks and a credential has is
    /// taken from there; what both have is taken out of the file.
    public func load() throws(RegistrationError) -> Registration? {
        guard let mode = try mode() else { return nil }
        guard mode & 0o077 == 0 else { throw .exposed(path: path, mode: mode) }
        let content: [UInt8]
        do throws(SystemError) {
            content = try AtomicFile.read(path)
        } catch {
            if error.isNotFound { return nil }
            throw .system(error)
        }
        let stored = try decode(content)
        let whole = credentials.complete(stored.unmarked).unmarked
        // If it cannot be written now, the file goes on to hold it, and nevertheless works. Of an
        // older file without a secret nobody knows whether there is one elsewhere.
        if whole.secret != nil, credentials.without(whole.marked) != stored { try? save(whole) }
        return whole
    }

    /// Replaces the registration: after a power cut there is the old one or the new one.
    public func save(_ registration: Registration) throws(RegistrationError) {
        do throws(SystemError) {
            try AtomicFile.write(
                encode(credentials.without(registration.marked)), to: path)
        } catch {
            throw .system(error)
        }
    }

    /// Whether a registration was deleted here: no other home takes the place of such a home.
    public var wasRegistered: Bool { OwnerRights.sees(mark) }

    private var mark: String { "\(directory)/unregistered" }

    /// Deletes the registration; does nothing if there is none.
    public func delete() throws(RegistrationError) {
        // First, as a kill may follow.
        if OwnerRights.sees(path) { try? AtomicFile.write([], to: mark) }
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw .system(SystemError("cannot delete \(path)"))
    }

    /// The permission bits, `nil` if there is no file.
    private func mode() throws(RegistrationError) -> UInt32? {
        var status = stat()
        guard stat(path, &status) != 0 else { return status.st_mode & 0o7777 }
        let failure = SystemError("cannot read \(path)")
        if failure.isNotFound { return nil }
        throw .system(failure)
    }

    private func encode(_ registration: Registration) throws(SystemError) -> [UInt8] {
        guard let json = try? JSON.bytes(registration, names: .snakeCase, pretty: true) else {
            throw SystemError("cannot write \(path)", number: EINVAL)
        }
        return json + [0x0A]
    }

    private struct Version: Decodable {
        let version: Int
    }

    private func decode(_ json: [UInt8]) throws(RegistrationError) -> Registration {
        do {
            let value = try JSON.value(of: json)
            let version = try value.decoded(as: Version.self).version
            guard version <= Registration.currentVersion else {
                throw RegistrationError.newerVersion(path: path, version: version)
            }
            let registration = try value.decoded(as: Registration.self)
            // The mark was not lost by itself: nothing may be sent unsealed because of it.
            guard version < 2 || registration.sealed != nil else {
                throw RegistrationError.malformed(path: path, field: "sealed")
            }
            return registration
        } catch let error as RegistrationError {
            throw error
        } catch {
            throw .malformed(path: path, field: field(of: error))
        }
    }

    /// Names the field of the error in the file; never the value, which may be a secret.
    private func field(of error: any Error) -> String? {
        let keys: [any CodingKey]
        switch error {
        case DecodingError.keyNotFound(let key, let context): keys = context.codingPath + [key]
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            keys = context.codingPath
        default: return nil
        }
        return keys.isEmpty ? nil : keys.map(\.stringValue).joined(separator: ".")
    }
}
