public import HomingHTTP
internal import HomingRelayProtocol
public import HomingRuntime

/// The device's end of a relay: connects when `RelayAttention` says so, speaks as `RelaySession` says,
/// opens what comes, and hands it on once.
///
/// A message is acknowledged when it has been handed on and its id is on the disk. So a message that
/// comes again, after a lost acknowledgement or a reboot, is known.
@LoopActor public final class RelayLink {
    /// Seconds in which messages gather at least, so that the disk is written once for them.
    private static let gathering: Seconds = 0.01
    /// Seconds until ids that could not be written are written again.
    private static let pause: Seconds = 60

    private var mailbox: Mailbox
    private let client: HTTPClient
    private let clock: any Clockwork
    private let keep: @LoopActor (SeenMessages) -> Bool
    private let deliver: @LoopActor (Event) -> Void
    private var attention: RelayAttention
    /// State for the status.
    public private(set) var session: RelaySession
    public private(set) var counts = Counts()
    private var seen: SeenMessages
    /// Whether `seen` holds what the disk does not.
    private var isSeenNew = false
    /// Messages of the present connection that were handed on, and are not acknowledged.
    private var taken: [MessageID] = []
    /// The connection that is wanted now, for the status.
    public private(set) var wish = RelayAttention.Wish.none
    private var socket: WebSocket?
    private var timer: (any Alarm)?
    private var timerAt: Seconds?
    private var writeTimer: (any Alarm)?
    private var pace = WritePace()
    /// Pace at which other tokens are taken: each token is written, and Home Assistant is told.
    private var renewals = WritePace()
    /// Steps that are not taken yet: what an effect leads to comes after the effects beside it.
    private var steps: [Step] = []
    private var isStepping = false
    private var isShutDown = false

    private enum Step {
        case attention(RelayAttention.Event)
        case session(RelaySession.Event)
    }

    /// - Parameters:
    ///   - client: whose TLS settings are used.
    ///   - attention: a new one.
    ///   - seed: for the jitter.
    ///   - seen: as it was kept.
    ///   - keep: brings the ids to the disk; whether they are there.
    ///   - deliver: gets the events. What it returns from is handed on.
    public init(
        _ mailbox: Mailbox, over client: HTTPClient, attention: RelayAttention, seed: UInt64,
        seen: SeenMessages, clock: any Clockwork,
        keep: @escaping @LoopActor (SeenMessages) -> Bool,
        deliver: @escaping @LoopActor (Event) -> Void
    ) {
        self.mailbox = mailbox
        self.client = client
        self.attention = attention
        self.seen = seen
        self.clock = clock
        self.keep = keep
        self.deliver = deliver
        session = RelaySession(seed: seed)
    }

    /// Begins; nothing happens before.
    public func start() { step(.attention(.wake)) }

    /// Tells what happened around it. What follows, such as the closing of the socket before sleep, is
    /// done before this returns.
    public func handleAttentionEvent(_ event: RelayAttention.Event) {
        if event == .sleep { write() }
        if case .test(let seconds) = event, seconds > 0 { step(.session(.insist)) }
        step(.attention(event))
        if event == .woke {
            timerAt = nil
            step(.session(.afresh))
        }
    }

    /// Another network.
    public func networkChanged() { step(.session(.afresh)) }

    /// Another token or parcel key from now on; the connection stays, and so does what opens messages that
    /// wait since before.
    public func use(_ mailbox: Mailbox) {
        let former = self.mailbox.formerOpener
        self.mailbox = mailbox
        self.mailbox.formerOpener = mailbox.formerOpener ?? former
    }

    /// Has the present token revoked: `revoked` follows, once there is a connection.
    public func revoke() { step(.session(.revoke)) }

    /// Closes it for good; what was taken and is not on the disk yet is written.
    public func shutdown() {
        write()
        isShutDown = true
        closeSocket()
        (timer, writeTimer) = (nil, nil)
        steps = []
    }

    // MARK: Steps

    private func step(_ step: Step) {
        guard !isShutDown else { return }
        steps.append(step)
        guard !isStepping else { return }
        isStepping = true
        let before = (session.state, session.problem)
        while !steps.isEmpty { performLinkStep(steps.removeFirst()) }
        isStepping = false
        setTimer()
        if before != (session.state, session.problem) { deliver(.changed) }
    }

    private func performLinkStep(_ step: Step) {
        let now = clock.now()
        switch step {
        case .attention(let event): attention.handle(event, at: now)
        case .session(let event):
            for effect in session.handle(event, at: now) { performRelayEffect(effect) }
        }
        let wanted = attention.wish(at: now)
        guard wanted != wish else { return }
        // What was handed on is acknowledged before the socket closes.
        if wanted == .none { write() }
        wish = wanted
        steps.append(.session(.wish(wanted)))
    }

    private func setTimer() {
        guard !isShutDown else { return }
        let next = [attention.nextWake, session.nextWake].compactMap { $0 }.min()
        guard next != timerAt else { return }
        timerAt = next
        timer = next.map { next in
            clock.retry(after: max(0, next - clock.now().uptime)) { [weak self] in
                self?.timerAt = nil
                self?.step(.attention(.wake))
                self?.step(.session(.wake))
            }
        }
    }

    private func performRelayEffect(_ effect: RelaySession.Effect) {
        switch effect {
        case .open: open()
        case .close: closeSocket()
        case .send(let frame): socket?.send(frame.text)
        case .ping: socket?.askForPong()
        case .prove(let challenge):
            steps.append(.session(.proof(try? mailbox.opener.proof(of: challenge))))
        case .take(let id, let now, let parcel): receive(id, parcel, at: now)
        case .renew(let sealed):
            // The next connection brings it again.
            guard renewals.delay(at: clock.now().uptime) == 0 else { return }
            renewals.wrote(at: clock.now().uptime)
            do throws(ParcelFault) {
                deliver(.renewed(try mailbox.opener.renewal(sealed)))
            } catch { refuse("another token: \(error)") }
        case .looked: steps.append(.attention(.looked))
        case .failed: steps.append(.attention(.failed))
        case .refused(let refusal): deliver(.tokenRefused(refusal))
        case .revoked: deliver(.revoked)
        }
    }

    // MARK: The socket

    private func open() {
        closeSocket()
        socket = WebSocket(
            mailbox.url + RelayPath.mailbox, over: client, bearerToken: mailbox.token
        ) { [weak self] in self?.handleSocketEvent($0) }
    }

    private func closeSocket() {
        taken = []
        socket?.close()
        socket = nil
    }

    private func handleSocketEvent(_ event: WebSocket.Event) {
        switch event {
        case .opened: step(.session(.opened))
        case .heard: step(.session(.heard))
        case .text(let text): step(.session(.received(RelayFrame(text))))
        case .ended(let end):
            closeSocket()
            step(.session(.lost(PushSession.Loss(ofRelay: end))))
        }
    }

    // MARK: Messages

    /// Hands a message on, unless it came before. What is not taken is acknowledged too, as it would
    /// stand before all others forever; its id is nobody's word, and is not remembered.
    private func receive(_ id: MessageID, _ sealed: [UInt8], at now: Int64) {
        taken.append(id)
        defer { if writeTimer == nil { write(after: Self.gathering) } }
        let parcel: Parcel
        do throws(ParcelFault) { parcel = try open(sealed, at: now) } catch {
            return refuse("a message: \(error)")
        }
        guard parcel.id == id else { return refuse("a message: it came under another's id") }
        guard isNew(seen.relay.judge(id)) else { return }
        let age = Seconds(max(0, now - parcel.arrived)) / 1000
        switch (parcel.content, mailbox.front) {
        case (.push(let body), nil): handOn(.push(body, age: age))
        case (.notice(let notice), _): handOn(notice)
        case (.forwarded(let box), let front?): receive(box, of: front, age: age)
        case (.push, _?): refuse("a message that did not come through this machine's front")
        case (.forwarded, nil): refuse("a message of a front: this machine has joined no front")
        }
    }

    /// Hands on a message that the front sealed, unless it came before. The relay in between can bring a
    /// box as often as it likes, under any id. The age is by the clock of that relay.
    private func receive(_ box: FrontBox, of front: Mailbox.Front, age: Seconds) {
        let parcel: Parcel
        do throws(ParcelFault) {
            parcel = try front.opener.open(box, in: mailbox.id, signedBy: front.key)
        } catch { return refuse("a message of the front: \(error)") }
        guard isNew(seen.front.judge(parcel.id)) else { return }
        switch parcel.content {
        case .push(let body): handOn(.push(body, age: age))
        case .notice(let notice): handOn(notice)
        case .forwarded: refuse("a message of the front: it is forwarded twice")
        }
    }

    /// Whether a message is to be handed on. One that came before is counted.
    private func isNew(_ verdict: RelaySeen.Verdict) -> Bool {
        switch verdict {
        case .known: counts.duplicates += 1
        case .replayed: refuse("a message: it is older than all that are remembered")
        case .new:
            isSeenNew = true
            return true
        }
        return false
    }

    private func handOn(_ event: Event) {
        counts.messages += 1
        counts.lastMessage = clock.now().unixTime
        deliver(event)
    }

    private func handOn(_ notice: RelayNotice) {
        if case .dropped(let count) = notice { counts.noteDropped(count) }
        handOn(.notice(notice))
    }

    private func open(_ sealed: [UInt8], at now: Int64) throws(ParcelFault) -> Parcel {
        do throws(ParcelFault) {
            return try mailbox.opener.open(sealed, in: mailbox.id, at: now)
        } catch {
            guard error == .notByRelay || error == .unknownKey, let former = mailbox.formerOpener
            else { throw error }
            return try former.open(sealed, in: mailbox.id, at: now)
        }
    }

    private func refuse(_ words: String) {
        counts.refused += 1
        deliver(.refused(words))
    }

    /// Writes once the pace allows it. A message whose id is on the disk already needs no write: where
    /// nothing else came, it is acknowledged whatever the pace.
    private func write(after delay: Seconds) {
        writeTimer = clock.once(after: delay) { [weak self] in
            guard let self else { return }
            let rest = self.isSeenNew ? self.pace.delay(at: self.clock.now().uptime) : 0
            if rest > 0 { self.write(after: rest) } else { self.write() }
        }
    }

    /// Brings the ids to the disk, and acknowledges their messages.
    private func write() {
        writeTimer = nil
        if isSeenNew {
            pace.wrote(at: clock.now().uptime)
            guard keep(seen) else {
                writeTimer = clock.retry(after: Self.pause) { [weak self] in self?.write() }
                return
            }
            isSeenNew = false
        }
        guard !taken.isEmpty else { return }
        let ids = taken
        taken = []
        step(.session(.taken(ids)))
    }
}
