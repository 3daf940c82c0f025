internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingServer

/// Takes the far tokens that devices tell their front. A token that the far relay does not take is
/// refused: who knows a push token alone cannot turn a device's messages away.
@LoopActor final class ForwardDesk {
    private let intake: Intake
    private let room: SealingRoom
    private let outbox: any Outbox
    private let gate: Gate
    private let answers: OpenAnswers
    private let forwarder: Forwarder
    /// Far tokens that the far relay is asked about at a time.
    private static let most = 8
    private var examinations = 0

    init(
        _ intake: Intake, _ room: SealingRoom, _ outbox: any Outbox, _ gate: Gate,
        _ answers: OpenAnswers, _ forwarder: Forwarder
    ) {
        (self.intake, self.room, self.outbox) = (intake, room, outbox)
        (self.gate, self.answers, self.forwarder) = (gate, answers, forwarder)
    }

    /// A device tells its far token.
    func serveForward(_ request: ServerRequest) {
        do throws(RelayRefusal) {
            let asked = try ForwardRequest(body: request.body)
            let own = try gate.judge { (throttle, uptime) throws(RelayRefusal) in
                try intake.token(
                    asked.pushToken, by: room.ring, from: request.client.group, &throttle,
                    at: uptime)
            }
            guard gate.admitsPost(by: own) else { throw .tooFast }
            guard let far = PushToken(asked.farToken), far.publicKey == own.publicKey else {
                throw .farTokenWrong
            }
            judge(own, far, answers.add(request))
        } catch {
            request.answer(.refused(error))
        }
    }

    private func judge(_ own: PushToken, _ far: PushToken, _ number: Int) {
        outbox.check(own.mailbox, generation: own.generation) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.good): compare(own, far, number)
            // The device of a good far token gets the token that is good here.
            case .success(.revoked): examine(own, far, number)
            case .success(.blocked): answers.answer(number, .refused(.blocked))
            case .failure(let failure): answers.answer(number, .refused(failure.refusal))
            }
        }
    }

    private func compare(_ own: PushToken, _ far: PushToken, _ number: Int) {
        outbox.farToken(of: own.mailbox, at: forwarder.far.url) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(far) where !forwarder.isRefused(own.mailbox): succeed(own, number)
            case .success: examine(own, far, number)
            case .failure(let failure): answers.answer(number, .refused(failure.refusal))
            }
        }
    }

    /// Asks the far relay. A late answer is kept too: the device asks again.
    private func examine(_ own: PushToken, _ far: PushToken, _ number: Int) {
        guard examinations < Self.most else { return answers.answer(number, .refused(.farAway)) }
        examinations += 1
        answers.waitsForFarRelay(number)
        spawn { [weak self, relay = forwarder.far] in
            let answer = await relay.check(far)
            self?.examinations -= 1
            switch answer {
            case .taken: self?.keep(own, far, number)
            case .tokenRefused: self?.answers.answer(number, .refused(.farTokenWrong))
            case .limited, .tooFast, .messageRefused, .away:
                self?.answers.answer(number, .refused(.farAway))
            }
        }
    }

    private func keep(_ own: PushToken, _ far: PushToken, _ number: Int) {
        outbox.setFarToken(far, of: own.mailbox, at: forwarder.far.url) { [weak self] result in
            guard let self else { return }
            if case .failure(let failure) = result {
                return answers.answer(number, .refused(failure.refusal))
            }
            Log.notice("mailbox \(own.mailbox.label) is forwarded to the far relay")
            succeed(own, number)
        }
    }

    /// The device has shown its key to the far relay. So it gets a mailbox here, and the token that is
    /// good.
    private func succeed(_ own: PushToken, _ number: Int) {
        outbox.open(own.mailbox, generation: own.generation, isProven: true) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(.open(let mailbox)):
                forwarder.tokenTold(own.mailbox)
                answers.answer(number, .forwards(renewal: renewal(of: own, mailbox.generation)))
            case .success(.blocked): answers.answer(number, .refused(.blocked))
            case .failure(let failure): answers.answer(number, .refused(failure.refusal))
            }
        }
    }

    private func renewal(of own: PushToken, _ generation: UInt16) -> [UInt8]? {
        guard room.ring.isOld(own) || generation > own.generation else { return nil }
        do throws(SealError) {
            return try room.renewal(of: own, generation: generation)
        } catch {
            Log.warning("a token cannot be renewed: \(error)")
            return nil
        }
    }
}
