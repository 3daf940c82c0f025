internal import HomingDelivery
internal import HomingRoutes

extension StoreEffect {
    /// Says how many locations became history, and why; `nil` if that is no news.
    func textOfMoved(_ count: Int) -> String? {
        switch self {
        case .makeHistory:
            "Home Assistant has reloaded the device: \(count) locations that may be missing "
                + "are sent as history"
        case .moveToHistory:
            count > 0 ? "sending \(count) older locations as history" : nil
        case .recall, .load, .settle, .supersedeOlderPositions, .expire: nil
        }
    }
}

extension Request {
    /// The command's name for the journal.
    var name: String {
        switch self {
        case .configuration: "get_config"
        case .zones: "get_zones"
        case .receipt: "a receipt"
        case .shortReceipt: "a short receipt"
        case .location(let entry): "update_location \(entry.id.number)"
        case .track(let entries): "homing_track of \(entries.count) locations"
        case .event(let entry): "fire_event \(entry.id.number)"
        case .sensors(let entries): "update_sensor_states of \(entries.count)"
        case .registerSensor(let entry): "register_sensor \(entry.id.number)"
        }
    }
}

extension EndpointProblem {
    /// The problem in people's words.
    var text: String {
        switch self {
        case .network(let text), .tls(let text), .foreign(let text): text
        case .busy(let retryAfter): "busy; retry after \(Int(retryAfter)) s"
        case .unavailable(let status): "the proxy answers \(status): no server behind it"
        case .unauthorized(let status): "Home Assistant refuses this machine with status \(status)"
        case .unknownWebhook: "Home Assistant does not know this machine, or is starting"
        case .keyRefused: "Home Assistant could not decrypt the message"
        case .gone: "Home Assistant says that the registration was deleted"
        case .trackerNotLoaded: "Home Assistant has not loaded its device tracker yet"
        case .trackerMissing: "Home Assistant shows no device tracker of this machine"
        }
    }
}

extension Route.Place {
    /// Place where the machine probably is, and the reason.
    var text: String {
        switch self {
        case .homeSSID(let ssid): "at home: the network \(ssid) is listed"
        case .homeBSSID(let bssid): "at home: the access point \(bssid) is listed"
        case .homeConnection(let name): "at home: the connection \(name) is listed"
        case .assumedHome:
            "treated as home: the network has no name, no home network is listed, Home Assistant's address is local"
        case .away: "away from home"
        case .offline: "without a network connection"
        case .portal: "behind a captive portal"
        }
    }
}
