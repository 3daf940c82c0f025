internal import HomeAssistantAPI
internal import HomingBase
internal import HomingControl
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHealth
internal import HomingRegistration
internal import HomingRoutes
internal import HomingRuntime
internal import HomingSocket

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
        if case .failure(let error) = await ask(.byItself) {
            home.log.warning("no secret yet: \(error.message)")
        }
    }

    /// Asks for a secret, keeps it, and seals from then on.
    ///
    /// It is told once, so nothing else is sent until it is on disk.
    func ask(_ wish: EncryptionUpgrade.Wish) async -> Result<EncryptionResult, ControlError> {
        guard let registration = home.keeper.registration else { return .failure(.notRegistered) }
        guard registration.secret == nil else {
            return .success(
                EncryptionResult(wasEnabled: true, isProven: registration.provesHomeAssistant))
        }
        guard !home.keeper.isBusy else { return .failure(.registering) }
        guard let transport = home.delivery.direct?.transport else {
            return .failure(ControlError(.refused, .registrationUnusable))
        }
        let endpoints = endpoints(for: wish)
        let offer = unconfirmed(wish)
        guard !endpoints.isEmpty else { return offer }
        home.delivery.hold()
        // When others may ask again: a release is news to them.
        defer { home.delivery.release() }
        let result = await home.keeper.exclusively {
            let reply = await Self.ask(endpoints, transport)
            if case .failure(let error) = reply, error.exitCode == .unavailable,
                case .success = offer
            {
                return offer
            }
            return self.take(reply, for: registration)
        }
        return result ?? .failure(.registering)
    }

    private func endpoints(for wish: EncryptionUpgrade.Wish) -> [Endpoint] {
        guard let place = home.delivery.state.way?.place else { return [] }
        return EncryptionUpgrade.endpoints(
            of: home.delivery.direct?.endpoints ?? [], at: place, for: wish)
    }

    /// Where a person may choose plain HTTP, they are told its host, and nothing was asked.
    private func unconfirmed(
        _ wish: EncryptionUpgrade.Wish
    ) -> Result<EncryptionResult, ControlError> {
        guard wish == .asked,
            let endpoint = endpoints(for: .confirmed).first(where: { !$0.isAuthentic }),
            let host = WebAddress(endpoint.webhookURL)?.host
        else { return .failure(.noConfidentialWay) }
        return .success(EncryptionResult(wasEnabled: false, isProven: false, unconfirmed: host))
    }

    /// Asks one endpoint after the other until one may have taken the question.
    private static func ask(
        _ endpoints: [Endpoint], _ transport: any Transport
    ) async -> Result<Answer, ControlError> {
        var problems: [Endpoint.Kind: EndpointProblem] = [:]
        for endpoint in endpoints {
            switch await transport.reply(to: .enableEncryption, by: endpoint, timeout: 30) {
            case .opened(let body), .refused(let body):
                return .success((EncryptionReply(body), endpoint))
            case .emptyObject: return .success((.refused(nil), endpoint))
            case .empty: problems[endpoint.kind] = .unknownWebhook
            case .failed(_, mayHaveArrived: true): return .failure(.secretMayBeLost)
            case .failed(let problem, mayHaveArrived: false): problems[endpoint.kind] = problem
            }
        }
        return .failure(.notReached(problems))
    }

    private func take(
        _ answer: Result<Answer, ControlError>, for registration: Registration
    ) -> Result<EncryptionResult, ControlError> {
        let now = home.clock.now()
        let reply: EncryptionReply
        let endpoint: Endpoint
        switch answer {
        case .failure(let error):
            pace.ended(.unanswered, at: now)
            return .failure(error)
        case .success(let answer): (reply, endpoint) = answer
        }
        switch reply {
        case .secret(let secret): return seal(registration, with: secret, from: endpoint)
        case .alreadyEnabled:
            pace.ended(.refused, at: now)
            return .failure(.sealedWithAnother)
        case .notAvailable:
            pace.ended(.impossible, at: now)
            return .failure(.encryptionNotAvailable)
        case .refused(let code):
            pace.ended(.refused, at: now)
            let word = code.map { " (\($0))" } ?? ""
            return .failure(
                ControlError(
                    .refused, "Home Assistant gave no secret\(word)",
                    hint: "Home Assistant's log says why"))
        }
    }

    private func seal(
        _ registration: Registration, with secret: String, from endpoint: Endpoint
    ) -> Result<EncryptionResult, ControlError> {
        guard (try? SecretKey(hexadecimal: secret)) != nil else {
            pace.ended(.refused, at: home.clock.now())
            return .failure(.strangeReply)
        }
        var sealed = registration
        sealed.secret = secret
        if !endpoint.isAuthentic { sealed.secretOverPlainHTTP = true }
        var problem: RegistrationError?
        do throws(RegistrationError) { try home.keeper.save(sealed) } catch { problem = error }
        // Home Assistant opens nothing else from now on, whether or not the secret could be kept.
        home.adopt(sealed)
        home.log.notice("Home Assistant gave a secret: messages are sealed from now on")
        if let problem {
            return .failure(
                ControlError(
                    .failure, "sealed, but the secret is not stored: \(problem)",
                    hint:
                        "it is in use until the daemon ends; mend this, then: homing register --again"
                ))
        }
        return .success(
            EncryptionResult(wasEnabled: false, isProven: sealed.provesHomeAssistant))
    }
}

extension ControlError {
    static let noConfidentialWay = ControlError(
        .temporary, "there is no way now by which a secret may travel",
        hint: "do it where Home Assistant's https address can be reached, or at home with --yes")
    static let secretMayBeLost = ControlError(
        .temporary, "asked, and no answer came: Home Assistant may hold a secret that got lost",
        hint: "if homing status says that it holds another key, run: homing register --again")
    static let sealedWithAnother = ControlError(
        .refused, "Home Assistant seals this registration with a secret that is not known here",
        hint: "run: homing register --again. The queue is kept")
    static let encryptionNotAvailable = ControlError(
        .refused, "this Home Assistant cannot seal messages (encryption_not_available)",
        hint: "update Home Assistant. It is asked again when the daemon starts")
}
