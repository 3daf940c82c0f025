internal import Glibc
internal import HomingCrypto
public import HomingRelayProtocol
internal import HomingRuntime

/// A reason for which the key file cannot be read or written, for people.
public struct KeyFileError: Error, Equatable, CustomStringConvertible, Sendable {
    /// Whether there is no file: `KeyFile.make` makes the file.
    public let isMissing: Bool
    /// The reason, with advice.
    public let description: String

    init(_ description: String, isMissing: Bool = false) {
        self.description = description
        self.isMissing = isMissing
    }
}

/// The file that holds a relay's keys.
public struct KeyFile: Equatable, Sendable {
    /// The name of systemd's credential.
    public static let credential = "homing.relay_keys"

    public let path: String
    /// Whether it may be replaced: a credential may not.
    public let isWritable: Bool

    init(path: String, isWritable: Bool = true) {
        self.path = path
        self.isWritable = isWritable
    }

    /// The file that the configuration means: the file that it names, else systemd's credential
    /// where the process has it, else `relay.keys` in the folder of the state.
    public init(_ configuration: RelayConfiguration, state: String) {
        let folder = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
        self.init(configuration.keys.file, state: state, credentials: folder)
    }

    init(_ named: String?, state: String, credentials: String?) {
        if let named {
            self.init(path: named)
        } else if let credentials, access("\(credentials)/\(Self.credential)", F_OK) == 0 {
            self.init(path: "\(credentials)/\(Self.credential)", isWritable: false)
        } else {
            self.init(path: "\(state)/relay.keys")
        }
    }

    /// Reads the keys. A file that others may read is refused, as everybody could make tokens.
    public func read() throws(KeyFileError) -> TokenRing {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try AtomicFile.read(path, limit: TokenRing.fileLimit + 1)
        } catch {
            let advice =
                error.isNotFound
                ? "if this relay has run before, put the copy from your backup there. With new keys, by "
                    + "homing-relay init, each machine has to join again"
                : "let the relay's user read it"
            throw KeyFileError("\(error): \(advice)", isMissing: error.isNotFound)
        }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & 0o007 != 0 {
            throw KeyFileError("\(path) is open to other users. Run: sudo chmod 600 \(path)")
        }
        do throws(RingFault) {
            return try TokenRing(file: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw KeyFileError("\(path): \(error)")
        }
    }

    /// Makes the first keys, unless there are keys: of two programs that make keys at the same moment,
    /// both get those that are in the file.
    public func make() throws(KeyFileError) -> (ring: TokenRing, isNew: Bool) {
        do {
            let ring = try TokenRing.random()
            let isNew = try AtomicFile.create(
                Array(ring.file.utf8), at: path, owner: Folders.owner(of: path))
            return isNew ? (ring, true) : (try read(), false)
        } catch let error as KeyFileError {
            throw error
        } catch {
            throw KeyFileError("\(error): let the relay's user write there")
        }
    }

    /// Replaces the keys; they are on the disk when this returns.
    func write(_ ring: TokenRing) throws(KeyFileError) {
        guard isWritable else {
            throw KeyFileError(
                "\(path) is a credential of systemd's, which the relay cannot change: "
                    + "make the new keys where the credential comes from")
        }
        do throws(SystemError) {
            try AtomicFile.write(Array(ring.file.utf8), to: path, owner: Folders.owner(of: path))
        } catch {
            throw KeyFileError("\(error): let the relay's user write there")
        }
    }
}
