internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingServer

/// Takes Home Assistant's posts: judged, sealed, stored, and answered when the disk has them.
@LoopActor final class PushDesk {
    /// The outcomes of posts since the start.
    struct Counts {
        var accepted = 0
        var limited = 0
        /// Refused for the token, the form or the address.
        var refused = 0
        /// Posts that were not stored: no room, or the store failed.
        var failed = 0
    }

    private let intake: Intake
    private let room: SealingRoom
    private let store: any MailboxStore
    private let devices: Devices
    private let gate: Gate
    private let answers: OpenAnswers
    private let watch: StoreWatch
    private let clock: any Clockwork
    private(set) var counts = Counts()
    private var isWiping = false
    /// Latency of the store's answers.
    private(set) var latency = LatencyHistogram()

    init(
        _ intake: Intake, _ room: SealingRoom, _ store: any MailboxStore, _ devices: Devices,
        _ gate: Gate, _ answers: OpenAnswers, _ watch: StoreWatch, _ clock: any Clockwork
    ) {
        self.clock = clock
        self.intake = intake
        self.room = room
        self.store = store
        self.devices = devices
        self.gate = gate
        self.answers = answers
        self.watch = watch
    }

    /// A notification.
    func servePush(_ request: ServerRequest) {
        wipeLater()
        act(judge(request, as: PushRequest.self), request)
    }

    /// A box of a front.
    func takeSealed(_ request: ServerRequest) {
        act(judge(request, as: SealedRequest.self), request)
    }

    private func act(_ verdict: Intake.Verdict, _ request: ServerRequest) {
        switch verdict {
        case .refused(let refusal): refuse(request, refusal)
        case .taken(let letter) where !gate.admitsPost(by: letter.token):
            refuse(request, .tooFast)
        case .taken(let letter): store(letter, request)
        }
    }

    /// Wipes what the posts of this turn leave on the stack, in a turn of its own, which stands less
    /// deep than they.
    private func wipeLater() {
        guard !isWiping else { return }
        isWiping = true
        spawn { [weak self] in
            DeadStack.wipe()
            self?.isWiping = false
        }
    }

    private func judge<Post: RelayPost>(
        _ request: ServerRequest, as kind: Post.Type
    ) -> Intake.Verdict {
        gate.judge { (throttle, uptime) in
            intake.judge(
                request.body, as: kind, by: room.ring, from: request.client.group, &throttle,
                at: uptime)
        }
    }

    private func refuse(_ request: ServerRequest, _ refusal: RelayRefusal) {
        counts.refused += 1
        request.answer(.refused(refusal))
    }

    private func store(_ letter: Letter, _ request: ServerRequest) {
        let deposit: Deposit
        do throws(SealError) {
            deposit = try room.deposit(letter)
        } catch {
            Log.warning("cannot encrypt a notification: \(error)")
            return refuse(request, error == .noMemory ? .failed : .badToken)
        }
        // From here on only the open request holds the plaintext.
        let (token, number, began) = (letter.token, answers.add(request), clock.now().uptime)
        store.accept(deposit) { [weak self] result in
            guard let self else { return }
            latency.note(clock.now().uptime - began)
            settle(deposit, token, number, result)
        }
    }

    private func settle(
        _ deposit: Deposit, _ token: PushToken, _ number: Int,
        _ result: Result<Acceptance, StoreFailure>
    ) {
        let ending = intake.ending(result, of: deposit)
        answers.answer(number, ending.answer)
        count(result)
        if let notice = ending.notice, let stored = ending.storedNotice {
            devices.leave(notice, as: stored, for: token)
        }
    }

    private func count(_ result: Result<Acceptance, StoreFailure>) {
        switch result {
        case .success(.stored), .success(.repeated):
            counts.accepted += 1
            watch.worked()
        case .success(.limited): counts.limited += 1
        case .success(.revoked), .success(.blocked), .success(.outdated): counts.refused += 1
        case .success(.full(let bound)):
            counts.failed += 1
            watch.failed(Self.reason(bound))
        case .failure(let failure):
            counts.failed += 1
            watch.failed("\(failure)")
        }
    }

    private static func reason(_ bound: StoreBound) -> String {
        switch bound {
        case .bytes: "the mailboxes have reached [store] max_size: raise max_size"
        case .mailboxes:
            "the number of mailboxes has reached [store] mailboxes: raise mailboxes"
        case .disk: StoreFailure.noRoom.description
        }
    }

    /// The question for a token's count.
    func check(_ request: ServerRequest) {
        wipeLater()
        switch judge(request, as: PushRequest.self) {
        case .refused(let refusal): refuse(request, refusal)
        case .taken(let letter):
            let (token, number) = (letter.token, answers.add(request))
            store.check(token.mailbox, generation: token.generation) { [answers, intake] result in
                answers.answer(number, intake.ending(result))
            }
        }
    }
}
