internal import HomingRuntime

/// Counts the connections and the body bytes of a server, within its limits.
@LoopActor final class Doorkeeper {
    private let limits: ServerLimits
    private var crowd: Crowd
    /// Counts for the program.
    private(set) var counts = HTTPServer.Counts()

    init(limits: ServerLimits, proxies: [AddressRange]) {
        self.limits = limits
        crowd = Crowd(limits: limits, proxies: proxies)
    }

    /// Whether a connection of this client may stay, until `leave`.
    func enter(_ client: ClientAddress) -> Bool {
        let mayStay = crowd.enter(client)
        if !mayStay { counts.turnedAway += 1 }
        return mayStay
    }

    /// Has a connection count as another client's, if that client may have more.
    func replace(_ present: ClientAddress, by client: ClientAddress) -> Bool {
        let mayStay = crowd.replace(present, by: client)
        if !mayStay { counts.turnedAway += 1 }
        return mayStay
    }

    func leave(_ client: ClientAddress) { crowd.leave(client) }

    /// Bytes of bodies that may still be kept.
    var room: Int { limits.buffered - counts.buffered }

    /// Adds to the body bytes that are kept; negative to subtract.
    func hold(_ bytes: Int) { counts.buffered += bytes }

    func countConnections(_ more: Int) { counts.connections += more }
    func countSockets(_ more: Int) { counts.sockets += more }
    func countRequest() { counts.requests += 1 }
    func countRefusal() { counts.refusals += 1 }
}
