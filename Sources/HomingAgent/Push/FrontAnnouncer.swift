internal import HomingHTTP
internal import HomingPush
internal import HomingRegistration
internal import HomingRelayProtocol
internal import HomingRuntime

/// Tells a front the far relay's present token, when `FrontAnnouncement` says so, and learns the front's own
/// next token from the answer.
@LoopActor final class FrontAnnouncer {
    private let client: HTTPClient
    private let clock: any Clockwork
    private let membership: @LoopActor () -> RelayMembership?
    private let learn: @LoopActor (RelayMembership) -> Bool
    private let changed: @LoopActor () -> Void
    private var announcement: FrontAnnouncement
    private var timer: (any Alarm)?
    private var timerAt: Seconds?
    private var isShutDown = false
    /// The last try, which may be under way.
    private var attempt: Task<Void, Never>?
    /// Whether somebody who listens on the way to the front could take the tokens.
    private let isOpenToOthers: Bool
    /// Reason why the front was not told at the last try; for people.
    private var failure: String?
    /// Whether the front itself refused at the last try.
    private(set) var isRefused = false

    /// - Parameters:
    ///   - membership: gives the present one.
    ///   - learn: keeps what the front's answer changed; whether that is on the disk.
    ///   - changed: called when the problem or `isRefused` may have changed.
    init(
        _ front: RelayFront, over client: HTTPClient, clock: any Clockwork,
        membership: @escaping @LoopActor () -> RelayMembership?,
        learn: @escaping @LoopActor (RelayMembership) -> Bool,
        changed: @escaping @LoopActor () -> Void
    ) {
        self.client = client
        self.clock = clock
        self.membership = membership
        self.learn = learn
        self.changed = changed
        isOpenToOthers = RelayAddress(front.url)?.isConfidential == false
        announcement = FrontAnnouncement(toldAt: front.toldAt)
    }

    /// Reason why the front is not told, or was not told at the last try; for people.
    var problem: String? {
        announcement.isPermitted ? failure : "plain HTTP is used on a home network only"
    }

    /// Over plain HTTP the tokens go on a home network only, as all secrets do.
    ///
    /// - Parameter isHome: whether this is a home network, or may be taken for one.
    func networkIs(_ isHome: Bool) { handleFrontEvent(.permitted(isHome || !isOpenToOthers)) }

    func handleFrontEvent(_ event: FrontAnnouncement.Event) {
        guard !isShutDown else { return }
        let isDue = announcement.handle(event, at: clock.now())
        setTimer()
        guard isDue else { return }
        attempt = spawn { [weak self] in
            guard let outcome = await self?.sendFarToken() else { return }
            self?.handleFrontEvent(.answered(outcome))
            self?.changed()
        }
    }

    /// Has the front told at once, as a person waits, and takes the token of its answer.
    ///
    /// - Parameter token: the token that the front did not take.
    /// - Returns: whether there is another token now.
    func replace(_ token: String) async -> Bool {
        handleFrontEvent(.asked)
        await attempt?.value
        return membership()?.front?.token != token
    }

    func shutdown() {
        isShutDown = true
        timer = nil
    }

    private func setTimer() {
        let next = announcement.nextWake
        guard next != timerAt else { return }
        timerAt = next
        timer = next.map { next in
            clock.retry(after: max(0, next - clock.now().uptime)) { [weak self] in
                self?.timerAt = nil
                self?.handleFrontEvent(.wake)
            }
        }
    }

    private func sendFarToken() async -> FrontAnnouncement.Outcome {
        guard let asked = membership(), let front = asked.front else { return .refused }
        let request = ForwardRequest(pushToken: front.token, farToken: asked.token)
        let answer = await RelayClient(over: client).forward(request, at: front.url)
        // The machine may have joined another front meanwhile, or left.
        guard !isShutDown, let present = membership(), present.front?.token == front.token else {
            return .outdated
        }
        switch answer {
        case .success(let renewal): return keepRenewal(renewal, present, toldOf: asked.token)
        case .failure(let failure):
            isRefused = failure.isRefusal
            self.failure = failure.words
            return isRefused ? .refused : .unreachable
        }
    }

    private func keepRenewal(
        _ renewal: [UInt8]?, _ present: RelayMembership, toldOf token: String
    ) -> FrontAnnouncement.Outcome {
        var new = present
        let isCurrent = present.token == token
        (failure, isRefused) = (nil, false)
        if isCurrent { new.front?.toldAt = clock.now().unixTime }
        if let renewal {
            do throws(ParcelFault) {
                guard let opener = RelayLink.Mailbox(present)?.front?.opener else {
                    throw .unknownKey
                }
                new.front?.adoptFrontGrant(try opener.renewal(renewal))
            } catch { failure = "another token of the front: \(error)" }
        }
        guard learn(new) else { return .unreachable }
        return isCurrent ? .told : .outdated
    }
}

extension RelayFailure {
    /// Whether a relay is there, and does not take what it was told.
    fileprivate var isRefusal: Bool {
        switch self {
        case .unreachable, .untrusted, .notRelay: false
        case .limited: true
        // Until a minute or so has passed.
        case .refused(let refusal): refusal.retryAfter == nil
        }
    }

    fileprivate var words: String {
        switch self {
        case .unreachable(let text), .untrusted(let text): text
        case .notRelay(let text): "no Homing relay answers there: \(text)"
        case .limited: "it says that the day's notifications are used up"
        case .refused(let refusal): "it says: \(refusal)"
        }
    }
}
