internal import HomingCrypto
internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingServer

/// Gives tokens to devices that may join.
@LoopActor final class JoinCounter {
    private let desk: JoinDesk
    private let configuration: RelayConfiguration
    private let room: SealingRoom
    private let store: any MailboxStore
    private let gate: Gate
    private let answers: OpenAnswers
    /// Devices that joined since the start.
    private(set) var joined = 0

    init(
        _ configuration: RelayConfiguration, _ room: SealingRoom, _ store: any MailboxStore,
        _ gate: Gate, _ answers: OpenAnswers
    ) {
        desk = JoinDesk(mode: configuration.join.mode)
        self.configuration = configuration
        self.room = room
        self.store = store
        self.gate = gate
        self.answers = answers
    }

    /// A device asks for a token.
    func serveJoin(_ request: ServerRequest) {
        do throws(RelayRefusal) {
            let wish = try JoinRequest(body: request.body)
            let verdict = gate.judge { (throttle, uptime) in
                desk.judge(wish, from: request.client.group, &throttle, at: uptime)
            }
            let number = answers.add(request)
            act(verdict, wish.publicKey, number, request.client.group)
        } catch {
            request.answer(.refused(error))
        }
    }

    private func act(
        _ verdict: JoinDesk.Verdict, _ key: PublicKey, _ number: Int, _ address: ClientAddress
    ) {
        switch verdict {
        case .refused(let refusal): answers.answer(number, .refused(refusal))
        case .spend(let code): spend(code, key, number, address)
        case .issue: issue(key, number)
        }
    }

    /// Uses a code up. The code of a blocked device, which gets no token, stays good.
    private func spend(
        _ code: InvitationCode, _ key: PublicKey, _ number: Int, _ address: ClientAddress
    ) {
        store.open(MailboxID(of: key), generation: 0, isProven: false) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.open): use(code, key, number, address)
            case .success(.blocked): answers.answer(number, .refused(.blocked))
            case .failure(let failure): forgive(address, number, failure)
            }
        }
    }

    private func use(
        _ code: InvitationCode, _ key: PublicKey, _ number: Int, _ address: ClientAddress
    ) {
        let hash = room.ring.blindName(code.canonical, as: .invitation)
        store.spend(hash, for: MailboxID(of: key)) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let isGood):
                let verdict = gate.judge { (throttle, uptime) in
                    desk.judge(isGood: isGood, from: address, &throttle, at: uptime)
                }
                act(verdict, key, number, address)
            case .failure(let failure): forgive(address, number, failure)
            }
        }
    }

    /// The store failed, so the try does not count as a guess.
    private func forgive(_ address: ClientAddress, _ number: Int, _ failure: StoreFailure) {
        gate.judge { throttle, _ in desk.forgive(address, &throttle) }
        answers.answer(number, .refused(failure.refusal))
    }

    /// A device that joins again gets a token that its earlier ones do not make worthless.
    private func issue(_ key: PublicKey, _ number: Int) {
        store.open(MailboxID(of: key), generation: 0, isProven: false) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.open(let mailbox)): answer(key, mailbox.generation, number)
            case .success(.blocked): answers.answer(number, .refused(.blocked))
            case .failure(let failure): answers.answer(number, .refused(failure.refusal))
            }
        }
    }

    private func answer(_ key: PublicKey, _ generation: UInt16, _ number: Int) {
        do throws(SealError) {
            let grant = try room.grant(key, generation: generation)
            answers.answer(number) { request in
                joined += 1
                Log.notice("a machine has joined: mailbox \(grant.token.mailbox.label)")
                let pushURL = PushAddress.text(configuration.listen, request)
                let offer = configuration.forward.url.map {
                    FrontOffer(
                        url: $0, for: key, pushURL: pushURL, sealed: grant.sealed,
                        signedWith: room.ring.signingKey)
                }
                return .joined(
                    JoinAnswer(
                        sealed: grant.sealed, maximum: configuration.limits.maximum,
                        name: configuration.join.name, pushURL: pushURL, front: offer))
            }
        } catch {
            Log.warning("cannot encrypt a token: \(error)")
            answers.answer(number, .refused(error == .unusableKey ? .badKey : .failed))
        }
    }
}
