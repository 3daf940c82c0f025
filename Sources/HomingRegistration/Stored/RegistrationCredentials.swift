internal import HomeAssistantAPI
internal import HomingCrypto
internal import HomingRuntime

/// Secret and token of one home as systemd hands them to the service, so that the disk need not hold
/// them in the clear.
///
/// They are `homing.secret` and `homing.token`. The file wins: a new registration brings a new
/// secret, which the credential does not know.
struct RegistrationCredentials: Sendable {
    private let secret: String?
    private let token: String?

    init(_ credentials: HomeCredentials) {
        secret = Self.read("homing.secret", credentials)
        token = Self.read("homing.token", credentials)
    }

    private static func read(_ name: String, _ credentials: HomeCredentials) -> String? {
        guard let path = credentials.path(of: name), let words = try? SecretFile.words(path) else {
            return nil
        }
        return words.isEmpty ? nil : words.joined()
    }

    /// The registration with what it lacks.
    func complete(_ registration: Registration) -> Registration {
        var registration = registration
        if registration.secret == nil, registration.fits(secret) { registration.secret = secret }
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

/// Marks that the file keeps of a secret that the file does not hold.
extension Registration {
    /// Names a secret of this registration, and does not tell it: it has 256 bits of its own.
    private func fingerprint(of secret: String) -> String {
        Fingerprint.make(
            of: Array("\(webhookID):\(secret.lowercased())".utf8),
            key: Array("homing registration secret".utf8))
    }

    /// Whether this is the secret, as far as that was noted.
    func fits(_ secret: String?) -> Bool {
        guard let secret, let secretFingerprint else { return true }
        return fingerprint(of: secret) == secretFingerprint
    }

    /// Registration as the file has it: with the marks by which a secret that is missing is
    /// noticed.
    var marked: Registration {
        var marked = self
        marked.version = Registration.currentVersion
        marked.noteSealed()
        if let secret { marked.secretFingerprint = fingerprint(of: secret) }
        return marked
    }

    /// Registration for use: without a secret that does not fit the mark, and without the mark
    /// where the secret fits.
    var unmarked: Registration {
        var used = self
        if !fits(secret) { used.secret = nil }
        if used.secret != nil { used.secretFingerprint = nil }
        return used
    }
}
