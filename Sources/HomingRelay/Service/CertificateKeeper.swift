internal import Glibc
public import HomingRuntime
public import HomingServer

/// Reads certificate and key for the relay's own TLS, and again when the files change: a renewal needs
/// no restart.
@LoopActor public final class CertificateKeeper {
    /// The state of a file, by which a replacement is noticed.
    private struct Mark: Equatable {
        var device: UInt64 = 0
        var file: UInt64 = 0
        var size: Int64 = 0
        var changed: [Int] = []

        /// Follows links, as certbot's certificates are links.
        init(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return }
            (device, file, size) = (
                UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size)
            )
            // A repair of the rights changes the second time only.
            changed = [status.st_mtim, status.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
        }
    }

    /// Seconds between two looks at the files.
    private static let pause: Seconds = 60
    private static let limit = 1 << 20

    private let certificate: String
    private let key: String
    private let replace: @LoopActor (TLSIdentity) -> Void
    private var marks: [Mark] = []
    private var timer: (any Alarm)?
    /// End of the certificate in use, in seconds since 1970.
    private(set) var expires: Double?
    /// Whether the files could not be used when they were read last.
    private(set) var isFailing = false

    /// - Parameter replace: gets each identity but the first.
    init(
        certificate: String, key: String, clock: any Clockwork,
        replace: @escaping @LoopActor (TLSIdentity) -> Void
    ) {
        (self.certificate, self.key, self.replace) = (certificate, key, replace)
        timer = clock.slowTimer(Self.pause) { [weak self] in
            self?.look()
            return .again
        }
    }

    /// The first identity.
    func first() throws(ServerFailure) -> TLSIdentity {
        marks = [Mark(certificate), Mark(key)]
        let identity = try read()
        expires = identity.expires
        return identity
    }

    private func look() {
        if marks != [Mark(certificate), Mark(key)] { readAgain() }
    }

    /// Reads the files. Keeps the former identity if they are no pair: the second may change soon.
    func readAgain() {
        marks = [Mark(certificate), Mark(key)]
        do throws(ServerFailure) {
            let identity = try read()
            (isFailing, expires) = (false, identity.expires)
            replace(identity)
            Log.notice("the certificate was read again")
        } catch {
            isFailing = true
            Log.warning("\(error); the former certificate stays in use")
        }
    }

    /// Looks whether certificate and key can be used together. Throws if not.
    public static func examine(certificate: String, key: String) throws(ServerFailure) {
        _ = try read(certificate, key)
    }

    private func read() throws(ServerFailure) -> TLSIdentity { try Self.read(certificate, key) }

    private static func read(
        _ certificate: String, _ key: String
    ) throws(ServerFailure) -> TLSIdentity {
        do {
            return try TLSIdentity(
                certificate: try AtomicFile.read(certificate, limit: limit),
                key: try AtomicFile.read(key, limit: limit))
        } catch {
            throw ServerFailure("\(certificate) and \(key) cannot be used: \(error)")
        }
    }
}
