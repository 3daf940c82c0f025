internal import Glibc
internal import HomingCrypto
public import HomingHTTP
public import HomingRuntime

/// Actions of a pairing on the machine and on its terminal.
@LoopActor public protocol PairingHost: AnyObject {
    /// A line or several for people.
    func say(_ text: String)
    /// The page of a login as a QR code.
    func show(_ picture: CodePicture)
    /// A question; the line that is typed comes by itself.
    func askQuestion(_ question: String)
    /// Registers by the daemon or, where none runs, without it; what to tell people.
    func register(
        _ order: PairingSession.Order, _ credential: PairingCredential
    ) async -> Result<String, PairingTrouble>
    func startService() async -> PairingTrouble?
    func test() async -> PairingTrouble?
    /// Has the daemon, where one runs, learn that the present network is at home, or is not.
    func judgeNetwork(isHome: Bool)
    /// Finds the questions about the location.
    func offerLocation() async -> LocationOffer
    /// Keeps a network as a place in that zone; returns words for people. A zone that Home Assistant does
    /// not have is refused.
    func keepPlace(
        zone: String, _ network: LocationOffer.Network
    ) async -> Result<String, PairingTrouble>
    /// Tells a person what the map shows of this machine now, and what the map does not show yet.
    func summarizeLocation() async
    /// Stops looking for a receiver; returns words for people.
    func disableGPS() async -> Result<String, PairingTrouble>
    /// Switches GeoClue on; returns words for people.
    func enableGeoClue() async -> Result<String, PairingTrouble>
}

/// Performs what a pairing session wants, and tells it what came of it.
@LoopActor public final class PairingConductor {
    private var session: PairingSession
    private unowned let host: any PairingHost
    private let http: HTTPClient
    private let opensBrowser: Bool
    private let finished: @LoopActor (PairingEnding) -> Void
    private let tokens: PairingTokens
    private var signals: [Watch] = []
    /// The signal that ended it, if one did.
    public private(set) var interruption: Int32?
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
        tokens = PairingTokens(credential, http: http) { [weak host] in host?.say($0) }
        self.opensBrowser = opensBrowser
        self.finished = finished
    }

    /// Begins; `readsLines` where somebody answers.
    public func start(readsLines: Bool) {
        if readsLines {
            lines = LineReader { [weak self] line in self?.handle(.line(line)) }
        }
        // What was made in Home Assistant is to be revoked first; a second one ends it at once.
        signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            Watch.signal(number) { [weak self] in
                guard let self, self.interruption == nil else {
                    signal(number, SIG_DFL)
                    raise(number)
                    return .done
                }
                self.interruption = number
                self.handle(.interrupted)
                return .again
            }
        }
        handle(.begin)
    }

    private func handle(_ event: PairingSession.Event) {
        for effect in session.handle(event) { performPairingEffect(effect) }
    }

    /// Answers come on a later turn, so that what a step shows stays in order.
    private func later(_ work: @escaping @LoopActor () async -> PairingSession.Event) {
        spawn { [weak self] in
            let event = await work()
            self?.handle(event)
        }
    }

    private func performPairingEffect(_ effect: PairingSession.Effect) {
        switch effect {
        case .say(let text): host.say(text)
        case .ask(let question): host.askQuestion(question)
        case .discover: later { .found(await Discovery.instances()) }
        case .inspect(let url):
            let login = HomeAssistantLogin(http: http, base: url)
            later { .inspected(hasPKCE: await login.inspect()) }
        case .listen(let pkce): listen(pkce: pkce)
        case .open(let page):
            show(page)
        case .answerBrowser(let accepted): browserAnswer = accepted
        case .exchange(let code, let url, let attempt): exchange(code, url, attempt)
        case .register(let order):
            later { [weak self] in .registered(await self?.register(order) ?? .failure(.gone)) }
        case .startService:
            later { [weak self] in .serviceStarted(await self?.host.startService()) }
        case .test: later { [weak self] in .tested(await self?.host.test()) }
        case .judgeNetwork(let isHome): host.judgeNetwork(isHome: isHome)
        case .inspectLocation:
            later { [weak self] in
                .inspectedLocation(await self?.host.offerLocation() ?? LocationOffer())
            }
        case .keepPlace(let zone, let network):
            later { [weak self] in
                .keptAnswer(await self?.host.keepPlace(zone: zone, network) ?? .failure(.gone))
            }
        case .disableGPS:
            later { [weak self] in
                .keptAnswer(await self?.host.disableGPS() ?? .failure(.gone))
            }
        case .enableGeoClue:
            later { [weak self] in
                .keptAnswer(await self?.host.enableGeoClue() ?? .failure(.gone))
            }
        case .end(let ending): end(ending)
        }
    }

    /// Opens the page in a browser here, or shows the page to a phone.
    private func show(_ page: String) {
        if opensBrowser {
            if Browser.open(page) { return }
            host.say("No browser could be opened here.")
        }
        if let picture = LoginCode.picture(of: page) { host.show(picture) }
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

    /// Returns the page for the browser, which waits for the page.
    private func page(for target: String) -> String {
        browserAnswer = false
        handle(.callback(target))
        return browserAnswer == true
            ? "Logged in. Close this page and return to the terminal."
            : "This is not the expected answer. Return to the terminal."
    }

    private func exchange(_ code: String, _ base: String, _ attempt: LoginAttempt) {
        let endpoint = HomeAssistantLogin(http: http, base: base)
        // The port is needed no more once its page is sent.
        later { [weak self] in
            self?.listener?.close()
            self?.listener = nil
            await self?.tokens.forget()
            switch await endpoint.exchange(code: code, login: attempt) {
            case .failure(let trouble): return .loggedIn(trouble)
            case .success(let tokens):
                self?.tokens.loggedIn(tokens, clientID: attempt.clientID, base: base)
                return .loggedIn(nil)
            }
        }
    }

    private func register(
        _ order: PairingSession.Order
    ) async -> Result<String, PairingTrouble> {
        guard let credential = await tokens.credential(for: order.deviceName) else {
            return .failure(.gone)
        }
        let result = await host.register(order, credential)
        if case .success = result { tokens.registered() }
        return result
    }

    private func end(_ ending: PairingEnding) {
        let hasReader = lines != nil
        lines?.stop()
        lines = nil
        listener?.close()
        listener = nil
        spawn { [weak self] in
            await self?.tokens.forget()
            // From here on a signal ends the command at once: nothing is left to be revoked.
            self?.signals = []
            if hasReader, ending == .paired { await self?.host.summarizeLocation() }
            self?.finished(ending)
        }
    }
}

extension PairingTrouble {
    /// Cannot come about while the command runs.
    fileprivate static let gone = PairingTrouble(.machine, "the pairing was given up")
}
