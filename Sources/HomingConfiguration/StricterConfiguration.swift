internal import HomingDelivery
internal import HomingLocation
internal import HomingPush
internal import HomingRuntime

extension Configuration {
    /// The same configuration, as strict as the other one in what is permitted and what is private.
    ///
    /// A person who forbids something and makes a mistake has forbidden it.
    ///
    /// - Parameter unreadable: keys, as `section.key`, that the other configuration sets by a line with an
    ///   error: they have their strictest value.
    public func restricted(by other: Configuration, unreadable: Set<String> = []) -> Configuration {
        var wanted = other
        wanted.forbid(unreadable)
        var strict = self
        // debug names coordinates.
        strict.log.level = min(log.level, wanted.log.level)
        strict.restrictEndpoints(by: wanted)
        strict.restrictLocation(by: wanted)
        strict.restrictPush(by: wanted)
        strict.sensors = sensors.restricted(by: wanted.sensors)
        return strict
    }

    /// Gives these keys their strictest value. Keys that neither permit nor disclose are left as they are.
    private mutating func forbid(_ keys: Set<String>) {
        for key in keys {
            switch key {
            case "log.level": log.level = min(log.level, .info)
            case "home_assistant.use_cloud": homeAssistant.useCloud = false
            case "home_assistant.instance_url_away": homeAssistant.instanceURLAway = nil
            case "home_assistant.plain_http_away": homeAssistant.plainHTTPAway = false
            case "home_assistant.reregister": homeAssistant.reregister = .ask
            case "home_network.ssid", "home_network.bssid", "home_network.connection":
                homeNetwork = .nowhere
            case "location.tell": location.tell = .never
            case "location.backlog": location.backlog = .latest
            case "location.queue_unregistered": location.queueUnregistered = false
            case "gpsd.enabled": gpsd.enabled = false
            case "geoclue.enabled": geoclue.enabled = false
            case "push.mode": push.mode = .off
            case "push.plain_http": push.plainHTTP = .never
            case "push.commands": push.commands = []
            case "push.relay": push.relay = .off
            case "push.relay_commands": push.relayCommands = []
            case "push.hook": push.hook = nil
            case "push.wall": push.wall = false
            case "push.url", "push.token_file": (push.url, push.tokenFile) = (nil, nil)
            case "sensors.enable": sensors.enable = []
            case "sensors.disable": sensors.disable = ["all"]
            case "sensors.scripts": sensors.scripts = nil
            default:
                if key.hasPrefix("place.") { places = [:] }
                if key.hasPrefix("command.") { commands = [:] }
            }
        }
    }

    private mutating func restrictEndpoints(by other: Configuration) {
        homeAssistant.useCloud = homeAssistant.useCloud && other.homeAssistant.useCloud
        homeAssistant.plainHTTPAway =
            homeAssistant.plainHTTPAway && other.homeAssistant.plainHTTPAway
        homeAssistant.reregister =
            stricter(homeAssistant.reregister, other.homeAssistant.reregister, [.ask])
        if homeAssistant.instanceURLAway != other.homeAssistant.instanceURLAway {
            homeAssistant.instanceURLAway = nil
        }
        homeNetwork = homeNetwork.restricted(by: other.homeNetwork)
        places = places.filter { other.places[$0.key] == $0.value }
    }

    private mutating func restrictLocation(by other: Configuration) {
        location.tell = stricter(location.tell, other.location.tell, [.never, .zone])
        location.backlog = stricter(location.backlog, other.location.backlog, [.latest])
        location.queueUnregistered = location.queueUnregistered && other.location.queueUnregistered
        gpsd.enabled = gpsd.enabled && other.gpsd.enabled
        geoclue.enabled = geoclue.enabled && other.geoclue.enabled
    }

    private mutating func restrictPush(by other: Configuration) {
        push.mode = stricter(push.mode, other.push.mode, [.off, .unmetered])
        push.plainHTTP = stricter(push.plainHTTP, other.push.plainHTTP, [.never])
        push.commands = push.commands.filter(other.push.commands.contains)
        push.relay = stricter(push.relay, other.push.relay, [.off, .look])
        push.relayCommands = push.relayCommands.filter(other.push.relayCommands.contains)
        push.wall = push.wall && other.push.wall
        if push.url != other.push.url || push.tokenFile != other.push.tokenFile {
            (push.url, push.tokenFile) = (nil, nil)
        }
        commands = commands.filter { other.commands[$0.key] == $0.value }
        // What runs must be permitted by both.
        if let hook = push.hook, hook != other.push.hook || commands[hook] == nil {
            push.hook = nil
        }
    }
}

/// The first of these values that one of both is; the strictest stands first.
private func stricter<Value: Equatable>(_ left: Value, _ right: Value, _ order: [Value]) -> Value {
    order.first { $0 == left || $0 == right } ?? left
}

extension Configuration.HomeNetwork {
    /// A list that no network is on: no name of a connection has a zero byte.
    fileprivate static let nowhere = Self(connections: ["\0"])

    /// The networks that both call home. Without any list the address decides, so an empty list and another
    /// one have no network in common that is certain.
    fileprivate func restricted(by other: Self) -> Self {
        if self == other { return self }
        var common = self
        common.ssids.removeAll { !other.ssids.contains($0) }
        common.bssids.removeAll { !other.bssids.contains($0) }
        common.connections.removeAll { !other.connections.contains($0) }
        return common == Self() ? .nowhere : common
    }
}

extension Configuration.Sensors {
    /// The sensors that both switch on, and no sensor that one switches off.
    fileprivate func restricted(by other: Self) -> Self {
        var strict = self
        strict.enable.removeAll { !other.enable.contains($0) && !other.enable.contains("all") }
        strict.disable += other.disable.filter { !disable.contains($0) }
        strict.scripts = scripts == other.scripts ? scripts : nil
        return strict
    }
}
