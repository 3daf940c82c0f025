internal import HomeAssistantAPI
public import HomingCore
internal import HomingCrypto
public import HomingRuntime
public import HomingTransport

/// What a pairing does to the machine and to its terminal.
@LoopActor public protocol PairingHost: AnyObject {
    /// A line or several for people.
    func say(_ text: String)
    /// A question; the line that is typed comes by itself.
    func ask(_ question: String)
    /// Registers by the daemon or, where none runs, without it; what to tell people.
    func register(
        _ order: PairingSession.Order, _ credential: PairingCredential
    ) async -> Result<String, PairingTrouble>
    func startService() async -> PairingTrouble?
    func test() async -> PairingTrouble?
}

/// What opens Home Assistant from now on.
public struct PairingCredential: Sendable {
    public let token: String
    /// For a refresh token: the client it is bound to.
    public let clientID: String?

    public init(token: String, clientID: String? = nil) {
        self.token = token
        self.clientID = clientID
    }
}

/// Performs what a pairing session wants, and tells it what came of it.
@LoopActor public final class PairingConductor {
    private var session: PairingSession
    private unowned let host: any PairingHost
    private let http: HTTPClient
    private let opensBrowser: Bool
    private let finished: @LoopActor (PairingEnding) -> Void
    private var credential: PairingCredential?
    /// A login whose tokens are not swapped for a lasting one yet.
    private var login: (tokens: LoginTokens, clientID: String, base: String)?
    private var listener: LoopbackListener?
    private var lines: LineReader?
    /// Set while a browser waits for its page.
    private var browserAnswer: Bool?

    /// - Parameter credential: a token that came with the command.
    public init(
        _ session: PairingSession, host: any PairingHost, http: HTTPClient,
        credential: PairingCredential?, opensBrowser: Bool,
        finished: @escaping @LoopActor (PairingEnding) -> Void
    ) {
        self.session = session
        self.host = host
        self.http = http
        self.credential = credential
        self.opensBrowser = opensBrowser
        self.finished = finished
    }

    /// Begins; `readsLines` where somebody answers.
    public func start(readsLines: Bool) {
        if readsLines {
            lines = LineReader { [weak self] line in self?.handle(.line(line)) }
        }
        handle(.begin)
    }

    private func handle(_ event: PairingSession.Event) {
        for effect in session.handle(event) { perform(effect) }
    }

    /// Answers come on a later turn, so that what a step shows stays in order.
    private func later(_ work: @escaping @LoopActor () async -> PairingSession.Event) {
        spawn { [weak self] in
            let event = await work()
            self?.handle(event)
        }
    }

    private func perform(_ effect: PairingSession.Effect) {
        switch effect {
        case .say(let text): host.say(text)
        case .ask(let question): host.ask(question)
        case .discover: later { .found(Discovery.find()) }
        case .inspect(let url):
            let login = HomeAssistantLogin(http: http, base: url)
            later { .inspected(await login.inspect()) }
        case .listen(let pkce): listen(pkce: pkce)
        case .open(let page):
            if opensBrowser, !Browser.open(page) { host.say("No browser could be opened here.") }
        case .answerBrowser(let accepted): browserAnswer = accepted
        case .exchange(let code, let url, let attempt): exchange(code, url, attempt)
        case .register(let order):
            later { [weak self] in .registered(await self?.register(order) ?? .failure(.gone)) }
        case .startService:
            later { [weak self] in .serviceStarted(await self?.host.startService()) }
        case .test: later { [weak self] in .tested(await self?.host.test()) }
        case .end(let ending): end(ending)
        }
    }

    private func listen(pkce: Bool) {
        listener?.close()
        do throws(SystemError) {
            let listener = try LoopbackListener { [weak self] in self?.page(for: $0) ?? "" }
            self.listener = listener
            let secret = pkce ? LoginSecret.random() : nil
            let attempt = LoginAttempt(
                port: listener.port, state: RandomToken.hex(bytes: 16), verifier: secret?.verifier,
                challenge: secret?.challenge)
            later { .listening(attempt) }
        } catch {
            let trouble = PairingTrouble(.machine, "\(error)")
            later { .cannotListen(trouble) }
        }
    }

    /// What the browser is shown, which waits for it.
    private func page(for target: String) -> String {
        browserAnswer = false
        handle(.callback(target))
        return browserAnswer == true
            ? "Logged in. Homing goes on in its terminal; this page can be closed."
            : "This is not the answer that Homing waits for. Look at its terminal."
    }

    private func exchange(_ code: String, _ base: String, _ attempt: LoginAttempt) {
        let endpoint = HomeAssistantLogin(http: http, base: base)
        // The port is needed no more once its page is sent.
        later { [weak self] in
            self?.listener?.close()
            self?.listener = nil
            await self?.forgetLogin()
            switch await endpoint.exchange(code: code, login: attempt) {
            case .failure(let trouble): return .loggedIn(trouble)
            case .success(let tokens):
                self?.credential = nil
                self?.login = (tokens, attempt.clientID, base)
                return .loggedIn(nil)
            }
        }
    }

    private func register(
        _ order: PairingSession.Order
    ) async -> Result<String, PairingTrouble> {
        if credential == nil { await makeCredential(for: order.deviceName) }
        guard let credential else { return .failure(.gone) }
        return await host.register(order, credential)
    }

    /// A long-lived token, so that the daemon needs no browser again; the login is forgotten then.
    /// Where Home Assistant gives none the login's refresh token serves as well, as long as nobody
    /// revokes it.
    private func makeCredential(for name: String) async {
        guard let login else { return }
        // A name serves once: another one tells an earlier pairing's token from this one.
        for title in ["Homing on \(name)", "Homing on \(name) \(RandomToken.hex(bytes: 3))"] {
            let token = await LongLivedToken.request(
                base: login.base, accessToken: login.tokens.accessToken, name: title, http: http)
            if let token {
                credential = PairingCredential(token: token)
                await forgetLogin()
                return
            }
        }
        credential = PairingCredential(
            token: login.tokens.refreshToken, clientID: login.clientID)
        self.login = nil
    }

    /// A login that is not kept is revoked.
    private func forgetLogin() async {
        guard let login else { return }
        self.login = nil
        await HomeAssistantLogin(http: http, base: login.base).revoke(login.tokens.refreshToken)
    }

    private func end(_ ending: PairingEnding) {
        lines?.stop()
        lines = nil
        listener?.close()
        listener = nil
        spawn { [weak self] in
            await self?.forgetLogin()
            self?.finished(ending)
        }
    }
}

extension PairingTrouble {
    /// Cannot come about while the command runs.
    fileprivate static let gone = PairingTrouble(.machine, "the pairing was given up")
}
