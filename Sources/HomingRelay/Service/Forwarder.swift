internal import HomingBase
internal import HomingCrypto
internal import HomingRelayProtocol
internal import HomingRuntime

/// Passes on what waits in a front's mailboxes. Signs each message, posts it to the far relay, and
/// deletes it when the far relay has it.
@LoopActor final class Forwarder {
    /// The counts since the start.
    struct Counts {
        var forwarded = 0
        /// Messages that the far relay will never take.
        var discarded = 0
    }

    /// Seconds between two looks for messages that no event told of.
    static let lookInterval: Seconds = 60
    /// Mailboxes that a front remembers at a time.
    private static let limit = 10_000
    /// Seconds between two warnings of a kind about a mailbox.
    private static let warningPause: Seconds = 3600

    private enum Warning {
        case discarded
        case tokenRefused
    }

    let far: FarRelay
    private let outbox: any Outbox
    private let room: SealingRoom
    private let devices: Devices
    private let clock: any Clockwork
    private var schedule: ForwardSchedule
    private(set) var counts = Counts()
    /// Reason why the far relay is away, for people; `nil` while the far relay answers.
    private(set) var problem: String?
    private var warnedAt: [MailboxID: [Warning: Seconds]] = [:]
    /// Mailbox at which the next look begins; `nil` for the first mailbox.
    private var lookedUntil: MailboxID?
    private var timer: (any Alarm)?
    private var looking: (any Alarm)?
    private var isEnding = false

    init(
        _ far: FarRelay, _ outbox: any Outbox, _ room: SealingRoom, _ devices: Devices,
        seed: UInt64, _ clock: any Clockwork
    ) {
        (self.far, self.outbox, self.room, self.devices) = (far, outbox, room, devices)
        self.clock = clock
        schedule = ForwardSchedule(limit: Self.limit, seed: seed)
        looking = clock.slowTimer(Self.lookInterval) { [weak self] in self?.look() ?? .done }
        _ = look()
    }

    /// Since when the far relay is away: uptime.
    var awaySince: Seconds? { schedule.awaySince }

    /// The fingerprint of the front's signing key.
    var fingerprint: String { room.ring.signingKey.verifyKey.fingerprint }

    /// The forwarding so far, for the status.
    var report: RelayStatus.Front {
        RelayStatus.Front(
            farURL: far.url, fingerprint: fingerprint, forwarded: counts.forwarded,
            discarded: counts.discarded, held: schedule.heldCount,
            refused: schedule.refused.count,
            awayFor: awaySince.map { clock.now().uptime - $0 },
            problem: problem)
    }

    /// Whether the far relay has refused the present token of a mailbox.
    func isRefused(_ mailbox: MailboxID) -> Bool { schedule.refused.contains(mailbox) }

    /// A message was stored.
    func stored(_ mailbox: MailboxID) {
        schedule.add(mailbox)
        go()
    }

    /// The device of a mailbox has told a far token.
    func tokenTold(_ mailbox: MailboxID) {
        warnedAt[mailbox] = nil
        schedule.tokenTold(mailbox)
        go()
    }

    /// Stops. A message on the way stays in the store until the far relay's answer is known.
    func end() {
        isEnding = true
        (timer, looking) = (nil, nil)
        far.shutdown()
    }

    private func look() -> Watch.Next {
        outbox.mailboxesToForward(after: lookedUntil, limit: Self.limit) { [weak self] result in
            guard let self else { return }
            let found = (try? result.get()) ?? []
            lookedUntil = found.count == Self.limit ? found.last : nil
            for mailbox in found { schedule.add(mailbox) }
            go()
        }
        return .again
    }

    private func go() {
        guard !isEnding else { return }
        for turn in schedule.begin(at: clock.now().uptime) { begin(turn) }
        let next = schedule.nextWake
        timer = next.map { next in
            clock.retry(after: max(0, next - clock.now().uptime)) { [weak self] in self?.go() }
        }
    }

    private func end(_ turn: ForwardSchedule.Turn, _ ending: ForwardSchedule.Ending) {
        schedule.end(turn, ending, at: clock.now())
        go()
    }

    // MARK: A turn

    private func begin(_ turn: ForwardSchedule.Turn) {
        outbox.next(of: turn.mailbox, at: far.url, isFreeOnly: turn.isFreeOnly) {
            [weak self] result in
            guard let self else { return }
            switch result {
            case .failure: end(turn, .storeFailed)
            case .success(let mail): forward(mail, turn)
            }
        }
    }

    private func forward(_ mail: OutgoingMail, _ turn: ForwardSchedule.Turn) {
        guard let token = mail.token else {
            return end(turn, mail.message == nil && mail.unreported == 0 ? .empty : .noToken)
        }
        if mail.unreported > 0, let own = room.ring.token(for: token.publicKey, generation: 0) {
            // The notice goes behind what waits already.
            devices.leave(.dropped(mail.unreported), as: .dropped(mail.unreported), for: own)
        }
        guard let message = mail.message else { return end(turn, .empty) }
        let request = sealed(message, turn.mailbox, token)
        spawn { [weak self] in
            guard let answer = await self?.far.post(request) else { return }
            self?.settle(answer, message, turn)
        }
    }

    private func sealed(
        _ message: OutgoingMessage, _ mailbox: MailboxID, _ token: PushToken
    ) -> SealedRequest {
        let now = room.now
        return SealedRequest(
            token: token.text,
            box: FrontBox(message.parcel, in: mailbox, signedWith: room.ring.signingKey),
            waited: Seconds(max(0, now - message.id.milliseconds)) / 1000,
            life: Seconds(max(0, message.expires - now)) / 1000, kind: message.kind,
            tag: message.tag.map { URLBase64.text(of: $0) },
            confirmID: URLBase64.text(
                of: room.ring.blindName(message.id.text, as: .confirmID, in: mailbox)),
            isClearing: message.isClearing)
    }

    private func settle(
        _ answer: FarAnswer, _ message: OutgoingMessage, _ turn: ForwardSchedule.Turn
    ) {
        switch answer {
        case .away where isEnding: return
        case .away: break
        default: noteAnswer()
        }
        switch answer {
        case .taken:
            counts.forwarded += 1
            outbox.acknowledge(turn.mailbox, [message.id]) { [weak self] result in
                self?.end(turn, (try? result.get()) == nil ? .storeFailed : .taken)
            }
        case .messageRefused(let reason):
            counts.discarded += 1
            warn(
                .discarded,
                "a message is discarded, as the far relay will never take it: \(reason)",
                turn)
            outbox.discard(message.id, of: turn.mailbox) { [weak self] result in
                self?.end(turn, (try? result.get()) == nil ? .storeFailed : .taken)
            }
        case .tokenRefused:
            warn(
                .tokenRefused,
                "the far relay does not take the token of mailbox \(turn.mailbox.label): the machine "
                    + "has to join again", turn)
            end(turn, .refused)
        case .limited(let kind): end(turn, .limited(kind))
        case .tooFast(let seconds): end(turn, .tooFast(seconds))
        case .away(let reason, let seconds):
            noteAbsence(reason)
            end(turn, .away(seconds))
        }
    }

    // MARK: The journal

    private func noteAbsence(_ reason: String) {
        guard problem != reason else { return }
        problem = reason
        Log.warning("the far relay does not take messages, which wait here: \(reason)")
    }

    private func noteAnswer() {
        guard problem != nil else { return }
        problem = nil
        Log.notice("Resolved: the far relay takes messages")
    }

    private func warn(_ kind: Warning, _ text: String, _ turn: ForwardSchedule.Turn) {
        let now = clock.now().uptime
        if let last = warnedAt[turn.mailbox]?[kind], now - last < Self.warningPause { return }
        if warnedAt.count >= Self.limit { warnedAt = [:] }
        warnedAt[turn.mailbox, default: [:]][kind] = now
        Log.warning(text)
    }
}
