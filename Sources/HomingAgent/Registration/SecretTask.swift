internal import HomeAssistantAPI
internal import HomingControl
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHealth
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime

/// Asks for a secret for a registration that has none.
@LoopActor final class SecretTask {
    private typealias Answer = (reply: EncryptionReply, endpoint: Endpoint)

    private unowned let home: Home
    /// Asking by itself begins once Home Assistant has answered after a start, and goes on daily.
    private var pace = UpkeepPace()

    init(_ home: Home) { self.home = home }

    func forget() { pace = UpkeepPace() }

    /// Whether Home Assistant is to be asked without being told to.
    var isDue: Bool {
        guard let registration = home.keeper.registration else { return false }
        return registration.secret == nil && !home.keeper.isBusy
            && pace.isDue(at: home.clock.now()) && !endpoints(for: .byItself).isEmpty
    }

    func askByItself() async {
        home.log.info("asking Home Assistant for a secret, as this registration has none")
        do throws(ControlError) { _ = try await requestSecret(.byItself) } catch {
            home.log.warning("no secret yet: \(error.message)")
        }
    }

    /// Asks for a secret, keeps it, and seals from then on.
    ///
    /// It is told once, so nothing else is sent until it is on disk.
    func requestSecret(
        _ wish: EncryptionUpgrade.Wish
    ) async throws(ControlError) -> EncryptionResult {
        guard let registration = home.keeper.registration else { throw .notRegistered }
        guard registration.secret == nil else {
            return EncryptionResult(wasEnabled: true, isProven: registration.provesHomeAssistant)
        }
        guard !home.keeper.isBusy else { throw .registering }
        guard let transport = home.delivery.direct?.transport else {
            throw ControlError(.refused, .registrationUnusable)
        }
        let endpoints = endpoints(for: wish)
        let offer = offer(wish)
        guard !endpoints.isEmpty else {
            if let offer { return offer }
            throw .noConfidentialRoute
        }
        home.delivery.hold()
        // When others may ask again: a release is news to them.
        defer { home.delivery.release() }
        return try await home.keeper.exclusively { () async throws(ControlError) in
            let answer: Answer
            do throws(ControlError) {
                answer = try await Self.askEndpoints(endpoints, transport)
            } catch {
                if let offer, error.exitCode == .unavailable { return offer }
                self.pace.ended(.unanswered, at: self.home.clock.now())
                throw error
            }
            return try self.handleSecretAnswer(answer, for: registration)
        }
    }

    private func endpoints(for wish: EncryptionUpgrade.Wish) -> [Endpoint] {
        guard let place = home.delivery.state.route?.place else { return [] }
        return EncryptionUpgrade.endpoints(
            of: home.delivery.direct?.endpoints ?? [], at: place, for: wish)
    }

    /// Returns the host for plain HTTP, if a person may choose plain HTTP; then nothing was asked.
    private func offer(_ wish: EncryptionUpgrade.Wish) -> EncryptionResult? {
        guard wish == .asked,
            let endpoint = endpoints(for: .confirmed).first(where: { !$0.isAuthentic }),
            let host = WebAddress(endpoint.webhookURL)?.host
        else { return nil }
        return EncryptionResult(wasEnabled: false, isProven: false, unconfirmed: host)
    }

    /// Asks one endpoint after the other until one may have taken the question.
    private static func askEndpoints(
        _ endpoints: [Endpoint], _ transport: any Transport
    ) async throws(ControlError) -> Answer {
        var problems: [Endpoint.Kind: EndpointProblem] = [:]
        for endpoint in endpoints {
            switch await transport.reply(to: .enableEncryption, by: endpoint, timeout: 30) {
            case .opened(let words): return (EncryptionReply(words), endpoint)
            case .refused(let words): return (EncryptionReply(words), endpoint)
            case .emptyObject: return (.refused(nil), endpoint)
            case .empty: problems[endpoint.kind] = .unknownWebhook
            case .failed(_, mayHaveArrived: true): throw .secretMayBeLost
            case .failed(let problem, mayHaveArrived: false): problems[endpoint.kind] = problem
            }
        }
        throw .notReached(problems)
    }

    private func handleSecretAnswer(
        _ answer: Answer, for registration: Registration
    ) throws(ControlError) -> EncryptionResult {
        let now = home.clock.now()
        switch answer.reply {
        case .secret(let secret):
            return try seal(registration, with: secret, from: answer.endpoint)
        case .alreadyEnabled:
            pace.ended(.refused, at: now)
            throw .sealedWithAnother
        case .notAvailable:
            pace.ended(.impossible, at: now)
            throw .encryptionNotAvailable
        case .refused(let code):
            pace.ended(.refused, at: now)
            let word = code.map { " (\($0))" } ?? ""
            throw ControlError(
                .refused, "Home Assistant gave no secret\(word)",
                hint: "Home Assistant's log says why")
        }
    }

    private func seal(
        _ registration: Registration, with secret: String, from endpoint: Endpoint
    ) throws(ControlError) -> EncryptionResult {
        guard (try? SecretKey(hexadecimal: secret)) != nil else {
            pace.ended(.refused, at: home.clock.now())
            throw .strangeReply
        }
        var sealed = registration
        sealed.secret = secret
        if !endpoint.isAuthentic { sealed.secretOverPlainHTTP = true }
        var problem: RegistrationError?
        do throws(RegistrationError) { try home.keeper.save(sealed) } catch { problem = error }
        // Home Assistant opens nothing else from now on, whether or not the secret could be kept.
        home.adopt(sealed)
        home.log.notice("Home Assistant gave a secret: messages are encrypted from now on")
        if let problem {
            throw ControlError(
                .failure, "encrypted, but the secret is not stored: \(problem)",
                hint: "the secret is in use until the daemon ends: correct the fault, then run: "
                    + "homing register --again"
            )
        }
        return EncryptionResult(wasEnabled: false, isProven: sealed.provesHomeAssistant)
    }
}

extension ControlError {
    static let noConfidentialRoute = ControlError(
        .temporary, "no endpoint now may carry a secret",
        hint: "do it where Home Assistant's https address can be reached, or at home with --yes")
    static let secretMayBeLost = ControlError(
        .temporary, "asked, and no answer came: Home Assistant may hold a secret that got lost",
        hint: "if homing status says that it holds another key, run: homing register --again")
    static let sealedWithAnother = ControlError(
        .refused,
        "Home Assistant encrypts this registration with a secret that this machine does not have",
        hint: "run: homing register --again. The queue is kept")
    static let encryptionNotAvailable = ControlError(
        .refused, "this Home Assistant cannot encrypt messages (encryption_not_available)",
        hint: "update Home Assistant. It is asked again when the daemon starts")
}
