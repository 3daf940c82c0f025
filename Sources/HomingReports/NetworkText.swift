public import HomingControl

/// The present networks as people read them.
extension NetworkReport {
    /// Lines, each with its end.
    public var text: String {
        guard !networks.isEmpty else {
            return
                "This machine has no known network: NetworkManager does not run, or has no connection.\n"
        }
        let rows = networks.map { network in
            let state =
                network.travels
                ? "travels with this machine"
                : network.isDoubted
                    ? "at home, but the last location here was far away"
                    : network.isHome
                        ? "at home"
                        : isAssumedHome == true
                            ? "treated as home, because NetworkManager does not name the network"
                            : network.place == nil ? "not home, and no known place" : "not home"
            let place = network.place.map { "[place.\($0)]; " } ?? ""
            let hardware = [
                network.gateway.map { gateway in
                    "gateway \(gateway)\(network.sharesGateway == true ? " (as at other sites)" : "")"
                }, network.bssid.map { "access point \($0)" },
            ].compactMap { $0 }
            let words = hardware.isEmpty ? ["no hardware address is known yet"] : hardware
            return [network.name, "\(state); \(place)\(words.joined(separator: ", "))"]
        }
        return TextTable.text(rows) + "\n"
    }
}
