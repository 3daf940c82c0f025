internal import HomingBase
internal import HomingDelivery
internal import HomingLocation
internal import HomingMachine
internal import HomingPush
internal import HomingRoutes
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
        guard let id = append(.event(event), clock.now(), expiresAt: expiresAt) else {
            return nil
        }
        tell(.accepted(.events, urgent: true))
        return id
    }

    /// Settles what has expired, also while nothing can be sent.
    func expire() {
        let now = clock.now().unixTime
        try? outbox.expire(at: now, acceptedBefore: queueTTL.map { now - $0 })
        answerWaiters(goneAs: .expired)
    }

    /// Reports the next good fix, and asks the receiver for one.
    func requestPosition() {
        policy.request()
        perform(gate.wanted(at: clock.now()))
        sources.watchReceiver()
    }
}
