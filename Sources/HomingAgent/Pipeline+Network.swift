internal import HomingDelivery
internal import HomingHealth
internal import HomingLocation
internal import HomingMachine
internal import HomingRoutes
internal import HomingRuntime

/// The way home, as the network changes.
extension Pipeline {
    func perform(_ effects: [NetworkSettler.Effect]) {
        for effect in effects {
            switch effect {
            case .believe: networkChanged()
            case .wake(let at): settlerTimer.set(at: at)
            }
        }
    }

    func settlerWoke() { perform(settler.timer(at: clock.now())) }

    /// Another network, or the same after a time in which anything may have happened.
    func networkChanged() {
        transport?.dropConnections()
        perform(gate.wanted(at: clock.now()))
        updateThrift()
        updateWay(networkChanged: true)
    }

    /// Chooses the way anew: the network, the registration or the configuration changed.
    func updateWay(networkChanged: Bool) {
        defer { onWay(networkChanged) }
        guard let chooser, transport != nil else {
            way = nil
            raise(.noWay, false)
            tell(.way([], networkChanged: true))
            return
        }
        let new = chooser.way(on: settler.believed ?? .unknown)
        if new != way {
            let names = new.endpoints.map(\.kind.title).joined(separator: ", then ")
            Log.info("\(new.place.text): \(names.isEmpty ? "nothing is sent" : names)")
        }
        way = new
        raise(.portal, new.place == .portal)
        raise(.noWay, new.endpoints.isEmpty && new.place != .portal, detail: excludedText(new))
        tell(.way(isHeld ? [] : new.endpoints, networkChanged: networkChanged))
    }

    /// Sends nothing until `release()`; what is under way is forgotten, and asked about later.
    func hold() {
        isHeld = true
        updateWay(networkChanged: false)
    }

    func release() {
        isHeld = false
        // As after another network: what waits goes at once.
        updateWay(networkChanged: true)
    }

    /// Another registration, or none: what was learnt by the one before is forgotten.
    func forget() {
        homeAssistantVersion = nil
        twins = TwinWatch()
        tracker = TrackerRepair()
        raise(.registrationShared, false)
        tell(.registrationChanged)
    }

    /// Why nothing is sent from the present network; `nil` if something is.
    var noWayText: String? {
        guard let way, way.endpoints.isEmpty else { return nil }
        return excludedText(way) ?? way.place.text
    }

    private func excludedText(_ way: Way) -> String? {
        let texts = way.excluded.map { "\($0.key.title): \($0.value)" }.sorted()
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    func updateThrift() {
        tell(.thrift(isMetered || power.onBattery))
    }
}

extension Way.Place {
    /// Where the machine is thought to be, and why.
    var text: String {
        switch self {
        case .homeSSID(let ssid): "at home: the network \(ssid) is listed"
        case .homeBSSID(let bssid): "at home: the access point \(bssid) is listed"
        case .homeConnection(let name): "at home: the connection \(name) is listed"
        case .assumedHome:
            "taken for home: the network is not known, none is listed, the instance's host is local"
        case .away: "away from home"
        case .offline: "without a network connection"
        case .portal: "behind a captive portal"
        }
    }
}
