internal import HomeAssistantAPI
internal import HomingControl
internal import HomingCore
internal import HomingCrypto
internal import HomingRuntime
internal import HomingStorage

/// A secret for a registration that has none.
extension Agent {
    /// Home Assistant has just answered: asks it for a secret by itself, if that is due, and then
    /// tells it what is new of this machine.
    func homeAssistantAnswered() {
        guard let registration, registration.secret == nil, !isRegistering,
            encryption.isDue(at: clock.now()), !confidentialEndpoints(asked: false).isEmpty
        else { return considerTelling() }
        Log.info("asking Home Assistant for a secret, as this registration has none")
        spawn { [weak self] in
            if case .failure(let error)? = await self?.enableEncryption(asked: false) {
                Log.warning("no secret yet: \(error.message)")
            }
            self?.considerTelling()
        }
    }

    /// Asks for a secret, keeps it, and seals from then on.
    ///
    /// It is told once, so nothing else is sent until it is on disk.
    /// - Parameter asked: whether a person asked for it.
    func enableEncryption(asked: Bool) async -> Result<EncryptionResult, ControlError> {
        guard let registration else { return .failure(.notRegistered) }
        guard registration.secret == nil else {
            return .success(EncryptionResult(wasEnabled: true))
        }
        guard !isRegistering else { return .failure(.registering) }
        guard let transport = pipeline.transport else {
            return .failure(ControlError(.refused, .registrationUnusable))
        }
        let endpoints = confidentialEndpoints(asked: asked)
        guard !endpoints.isEmpty else { return .failure(.noConfidentialWay) }
        isRegistering = true
        pipeline.hold()
        defer {
            isRegistering = false
            pipeline.release()
        }
        let reply = await Self.askForSecret(endpoints, transport)
        return take(reply, for: registration)
    }

    /// By which the secret may come: where nobody on the way can read it or pose as Home Assistant,
    /// or at home. By itself Homing takes nothing for home that is not listed as such.
    private func confidentialEndpoints(asked: Bool) -> [Endpoint] {
        guard let place = pipeline.way?.place else { return [] }
        let isHome = place.isHome && (asked || place != .assumedHome)
        return pipeline.courier.orderForDirectCalls(clock.now()).filter {
            $0.isAuthentic || (isHome && $0.kind == .instance)
        }
    }

    /// Asks one endpoint after the other until one may have taken the question.
    private static func askForSecret(
        _ endpoints: [Endpoint], _ transport: any Transport
    ) async -> Result<EncryptionReply, ControlError> {
        var problems: [Endpoint.Kind: EndpointProblem] = [:]
        for endpoint in endpoints {
            switch await transport.reply(to: .enableEncryption, by: endpoint, timeout: 30) {
            case .opened(let body), .refused(let body): return .success(EncryptionReply(body))
            case .emptyObject: return .success(.refused(nil))
            case .empty: problems[endpoint.kind] = .unknownWebhook
            case .failed(_, mayHaveArrived: true): return .failure(.secretMayBeLost)
            case .failed(let problem, mayHaveArrived: false): problems[endpoint.kind] = problem
            }
        }
        return .failure(.notReached(problems))
    }

    private func take(
        _ reply: Result<EncryptionReply, ControlError>, for registration: Registration
    ) -> Result<EncryptionResult, ControlError> {
        let now = clock.now()
        switch reply {
        case .failure(let error):
            encryption.ended(.unanswered, at: now)
            return .failure(error)
        case .success(.secret(let secret)): return seal(registration, with: secret)
        case .success(.alreadyEnabled):
            encryption.ended(.refused, at: now)
            return .failure(.sealedWithAnother)
        case .success(.notAvailable):
            encryption.ended(.notAvailable, at: now)
            return .failure(.encryptionNotAvailable)
        case .success(.refused(let code)):
            encryption.ended(.refused, at: now)
            let word = code.map { " (\($0))" } ?? ""
            return .failure(
                ControlError(
                    .refused, "Home Assistant gave no secret\(word)",
                    hint: "Home Assistant's log says why"))
        }
    }

    private func seal(
        _ registration: Registration, with secret: String
    ) -> Result<EncryptionResult, ControlError> {
        guard (try? SecretKey(hexadecimal: secret)) != nil else {
            encryption.ended(.refused, at: clock.now())
            return .failure(.strangeReply)
        }
        var sealed = registration
        sealed.secret = secret
        var problem: RegistrationError?
        do throws(RegistrationError) { try store(sealed) } catch { problem = error }
        // Home Assistant opens nothing else from now on, whether or not the secret could be kept.
        adopt(sealed)
        Log.notice("Home Assistant gave a secret: messages are sealed from now on")
        if let problem {
            return .failure(
                ControlError(
                    .failure, "sealed, but the secret is not stored: \(problem)",
                    hint:
                        "it is in use until the daemon ends; mend this, then: homing register --again"
                ))
        }
        return .success(EncryptionResult(wasEnabled: false))
    }
}

extension ControlError {
    static let noConfidentialWay = ControlError(
        .temporary, "there is no way now by which a secret may travel",
        hint: "do it at home, or use Home Assistant's https address")
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
