/// Counts open connections, in all and for each client, so that no client takes all connections.
struct Crowd {
    private let limits: ServerLimits
    private let proxies: [AddressRange]
    private var groups: [ClientAddress: Int] = [:]
    /// The number of open connections.
    private(set) var count = 0

    /// - Parameter proxies: addresses without a limit of their own, as they serve many clients.
    init(limits: ServerLimits, proxies: [AddressRange]) {
        self.limits = limits
        self.proxies = proxies
    }

    /// Counts a connection of this client until `leave`; false if a limit is reached.
    mutating func enter(_ client: ClientAddress) -> Bool {
        guard count < limits.connections else { return false }
        if !isExempt(client) {
            let group = client.group
            let present = groups[group, default: 0]
            guard present < limits.perAddress else { return false }
            groups[group] = present + 1
        }
        count += 1
        return true
    }

    /// Ends the count of a connection.
    mutating func leave(_ client: ClientAddress) {
        count -= 1
        guard !isExempt(client) else { return }
        let group = client.group
        let left = groups[group, default: 0] - 1
        groups[group] = left > 0 ? left : nil
    }

    /// Has a connection count as another client's from now on. Returns false, and changes nothing, if
    /// that client may have no more.
    mutating func replace(_ present: ClientAddress, by client: ClientAddress) -> Bool {
        leave(present)
        if enter(client) { return true }
        // There is room: the connection was counted a moment ago.
        _ = enter(present)
        return false
    }

    private func isExempt(_ client: ClientAddress) -> Bool {
        proxies.contains { $0.contains(client) }
    }
}
