internal import HomingCore
internal import HomingRuntime

/// What notifications need of the pipeline.
extension Pipeline {
    /// Whether NetworkManager calls the network metered.
    var isMetered: Bool {
        if case .known(let network)? = settler.believed { network.metered } else { false }
    }

    /// Where Home Assistant's pages are on the present network, without a trailing slash.
    var openBase: String? { way?.endpoints.lazy.compactMap { PushWay($0) }.first?.url }

    /// Takes an event into the outbox, to go home at once if that is possible.
    ///
    /// - Parameter expiresAt: seconds since 1970.
    func fire(_ event: EventMessage, expiresAt: Seconds?) -> EntryID? {
        let now = SystemClock.now()
        // What keeps it from that, the outbox tells by itself.
        guard
            let id = try? outbox.append(
                .event(event), acceptedAt: now.unixTime, expiresAt: expiresAt)
        else { return nil }
        answerWaiters(goneAs: .evicted)
        tell(.accepted(.events, urgent: true))
        return id
    }

    /// Settles what has expired, also while nothing can be sent.
    func expire() {
        let now = SystemClock.now().unixTime
        try? outbox.expire(at: now, acceptedBefore: queueTTL.map { now - $0 })
        answerWaiters(goneAs: .expired)
    }

    /// Reports the next good fix, and asks the receiver for one.
    func requestPosition() {
        policy.request()
        perform(gate.wanted(at: SystemClock.now()))
        sources.watchReceiver()
    }
}
