internal import Glibc
internal import HomeAssistantAPI
internal import HomingRuntime

/// Secret and token as systemd hands them to the service (systemd.exec(5), `LoadCredential=` and
/// `LoadCredentialEncrypted=`), so that the disk need not hold them in the clear.
///
/// They are `homing.secret` and `homing.token`. The file wins: a new registration brings a new
/// secret, which the credential does not know.
public struct RegistrationCredentials: Sendable {
    private let secret: String?
    private let token: String?

    /// `$CREDENTIALS_DIRECTORY`.
    public static func directory() -> String? {
        getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    }

    init(directory: String?) {
        secret = Self.read("homing.secret", in: directory)
        token = Self.read("homing.token", in: directory)
    }

    private static func read(_ name: String, in directory: String?) -> String? {
        guard let directory, let bytes = try? AtomicFile.read("\(directory)/\(name)", limit: 65536)
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        return text.isEmpty ? nil : text
    }

    /// The registration with what it lacks.
    func complete(_ registration: Registration) -> Registration {
        var registration = registration
        if registration.secret == nil { registration.secret = secret }
        if registration.authorization == nil, let token {
            registration.authorization = Registration.Authorization(kind: .longLived, token: token)
        }
        return registration
    }

    /// The registration without what the credentials hold.
    func without(_ registration: Registration) -> Registration {
        var registration = registration
        if secret != nil, registration.secret == secret { registration.secret = nil }
        if token != nil, registration.authorization?.token == token,
            registration.authorization?.kind == .longLived
        {
            registration.authorization = nil
        }
        return registration
    }
}
