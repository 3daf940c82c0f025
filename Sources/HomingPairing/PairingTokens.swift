internal import HomeAssistantAPI
internal import HomingCrypto
internal import HomingHTTP
internal import HomingRegistration
internal import HomingRuntime

/// Credential that opens Home Assistant from now on.
public struct PairingCredential: Sendable {
    public let token: String
    /// Client to which a refresh token is bound.
    public let clientID: String?
    /// Whether the pairing made it, so that it may be revoked.
    public let isOwn: Bool
    /// Title in Home Assistant of a long-lived token that the pairing made.
    public let title: String?

    public init(
        token: String, clientID: String? = nil, isOwn: Bool = false, title: String? = nil
    ) {
        self.token = token
        self.clientID = clientID
        self.isOwn = isOwn
        self.title = title
    }
}

/// Tokens that a pairing has made in Home Assistant: a login, and the lasting token from that
/// login. Tokens that come to no registration are revoked.
@LoopActor final class PairingTokens {
    private let http: HTTPClient
    private let say: @LoopActor (String) -> Void
    private var given: PairingCredential?
    /// A login whose tokens are not swapped for a lasting one yet.
    private var login: (tokens: LoginTokens, clientID: String, base: String)?
    /// A lasting token that is of no registration yet, and its Home Assistant.
    private var made: (authorization: Registration.Authorization, base: String)?

    /// - Parameters:
    ///   - given: a token that came with the command, which is never revoked.
    ///   - say: tells people what could not be revoked.
    init(
        _ given: PairingCredential?, http: HTTPClient, say: @escaping @LoopActor (String) -> Void
    ) {
        self.given = given
        self.http = http
        self.say = say
    }

    /// Somebody logged in; the login of before was forgotten.
    func loggedIn(_ tokens: LoginTokens, clientID: String, base: String) {
        given = nil
        login = (tokens, clientID, base)
    }

    /// Returns the credential to register with: a long-lived token, so that the daemon needs no
    /// browser again. The login is forgotten then. Where Home Assistant gives no long-lived token,
    /// the login's refresh token serves as well, until somebody revokes the token.
    func credential(for name: String) async -> PairingCredential? {
        if given == nil { given = await make(for: name) }
        return given
    }

    private func make(for name: String) async -> PairingCredential? {
        guard let login else { return nil }
        // A name serves once: another one tells an earlier pairing's token from this one.
        for title in ["Homing on \(name)", "Homing on \(name) \(RandomToken.hex(bytes: 3))"] {
            let token = await LongLivedToken.request(
                base: login.base, accessToken: login.tokens.accessToken, name: title, http: http)
            if let token {
                made = (.init(kind: .longLived, token: token), login.base)
                await forgetLogin()
                return PairingCredential(token: token, isOwn: true, title: title)
            }
        }
        made = (.init(kind: .refresh, token: login.tokens.refreshToken), login.base)
        self.login = nil
        return PairingCredential(
            token: login.tokens.refreshToken, clientID: login.clientID, isOwn: true)
    }

    /// The token belongs to a registration now.
    func registered() { made = nil }

    /// Has Home Assistant forget what came to no registration.
    func forget() async {
        await forgetLogin()
        guard let made else { return }
        self.made = nil
        given = nil
        await revoke(made.authorization, made.base)
    }

    private func forgetLogin() async {
        guard let login else { return }
        self.login = nil
        await revoke(.init(kind: .refresh, token: login.tokens.refreshToken), login.base)
    }

    private func revoke(_ authorization: Registration.Authorization, _ base: String) async {
        guard await !TokenRevocation.revoke(authorization, base: base, http: http) else { return }
        say(
            "The login could not be revoked: delete it in Home Assistant, in your profile, Security."
        )
    }
}
