internal import HomingBus
public import HomingRuntime

/// Looks for services on the local network with whatever listens there for this machine: Avahi, or
/// systemd-resolved.
@LoopActor public enum Discovery {
    /// Home Assistants that announce themselves; `nil` where nothing on this machine can search.
    static func instances() async -> [DiscoveredInstance]? {
        await find("_home-assistant._tcp")?.compactMap { DiscoveredInstance($0) }
    }

    /// A line for each receiver that announces NMEA 0183 by TCP.
    public static func receivers() async -> [String] {
        DiscoveredService.receivers(await find("_nmea-0183._tcp") ?? [])
    }

    /// Seconds for the announcements, and as many for their addresses.
    fileprivate static let patience: Seconds = 3

    /// Finds the services of a type that announce themselves; `nil` where nothing on this machine can search.
    private static func find(_ type: String) async -> [DiscoveredService]? {
        let bus = Bus(.system, clock: SystemClock())
        bus.open()
        defer { bus.shutdown() }
        let deadline = SystemClock.now().uptime + patience
        if let found = await AvahiBrowser(type, bus: bus).find(until: deadline) { return found }
        return await ResolvedBrowser(type: type, bus: bus).find()
    }

    /// A TXT record: an array of byte arrays.
    static func texts(_ value: BusValue) -> [String] {
        (value.list ?? []).map { String(decoding: $0.bytes, as: UTF8.self).streamSafe }
    }
}

/// Avahi's browser (avahi-daemon(8), org.freedesktop.Avahi.Server).
@LoopActor final class AvahiBrowser: BusSubscriber {
    private static let service = "org.freedesktop.Avahi"
    private static let server = "org.freedesktop.Avahi.Server"
    private static let browser = "org.freedesktop.Avahi.ServiceBrowser"
    /// AVAHI_IF_UNSPEC and AVAHI_PROTO_UNSPEC.
    private static let any = BusArgument.int32(-1)

    private let type: String
    private let bus: Bus
    private var listening: BusSignal?
    private var signals: [(name: String, arguments: [BusValue], path: String)] = []

    init(_ type: String, bus: Bus) {
        self.type = type
        self.bus = bus
        bus.subscribe(self)
    }

    /// Listening comes first: the browser speaks as soon as it is made.
    func busConnected(_ connection: OpaquePointer) {
        listening = BusSignal(of: Self.browser, from: Self.service, on: connection) {
            [weak self] in self?.signals.append(($0, $1, $2))
        }
    }

    func busDisconnected() { listening = nil }

    /// `nil` where there is no Avahi.
    func find(until deadline: Seconds) async -> [DiscoveredService]? {
        let made = try? await bus.call(
            "ServiceBrowserNew", of: Self.server, at: "/", Self.service,
            [Self.any, Self.any, .string(type), .string("local"), .uint32(0)]
        ).get()
        guard let path = made?.first?.text else { return nil }
        while !isComplete(path), SystemClock.now().uptime < deadline { await Watch.pause(0.02) }
        let items = signals.filter { $0.path == path && $0.name == "ItemNew" }
        _ = await bus.call("Free", of: Self.browser, at: path, Self.service)
        var found: [DiscoveredService] = []
        for item in items.prefix(Bound.busObjects) {
            // A neighbour may announce much, and answer late.
            guard SystemClock.now().uptime < deadline + Discovery.patience else { break }
            if let service = await resolve(item.arguments) { found.append(service) }
        }
        return found
    }

    private func isComplete(_ path: String) -> Bool {
        signals.contains { $0.path == path && ["AllForNow", "Failure"].contains($0.name) }
    }

    /// ItemNew has interface, protocol, name, type and domain; ResolveService takes them, and
    /// answers (…, host, protocol, address, port, TXT, flags).
    private func resolve(_ item: [BusValue]) async -> DiscoveredService? {
        guard item.count >= 5, case .whole(let interface) = item[0],
            case .whole(let family) = item[1], let name = item[2].text, let type = item[3].text,
            let domain = item[4].text
        else { return nil }
        let answer = try? await bus.call(
            "ResolveService", of: Self.server, at: "/", Self.service,
            [
                .int32(Int32(truncatingIfNeeded: interface)),
                .int32(Int32(truncatingIfNeeded: family)), .string(name), .string(type),
                .string(domain), Self.any, .uint32(0),
            ]
        ).get()
        guard let answer, answer.count >= 10, case .whole(let port) = answer[8] else { return nil }
        return DiscoveredService(
            name: name, texts: Discovery.texts(answer[9]), address: answer[7].text,
            port: UInt16(clamping: port))
    }
}

/// systemd-resolved, where multicast DNS is switched on (org.freedesktop.resolve1(5)).
@LoopActor struct ResolvedBrowser {
    private static let service = "org.freedesktop.resolve1"

    let type: String
    let bus: Bus

    /// `nil` where there is no resolved, or it does not ask the local network.
    func find() async -> [DiscoveredService]? {
        let answer = await call(
            "ResolveRecord",
            // Class IN, type PTR: the names of the services.
            [.int32(0), .string("\(type).local"), .uint16(1), .uint16(12), .uint64(0)])
        let records: [BusValue]
        switch answer {
        case .success(let values): records = values.first?.list ?? []
        case .failure(let error):
            return await hasAsked(error) ? [] : nil
        }
        var found: [DiscoveredService] = []
        let end = SystemClock.now().uptime + Discovery.patience
        for record in records.prefix(Bound.busObjects) {
            guard SystemClock.now().uptime < end else { break }
            guard let name = record.list?.last.flatMap({ PointerRecord($0.bytes) })?.instance,
                let service = await resolve(name)
            else { continue }
            found.append(service)
        }
        return found
    }

    /// ResolveService answers (services, TXT, …); a service is (priority, weight, port, host,
    /// addresses, …), an address (interface, family, bytes).
    private func resolve(_ name: String) async -> DiscoveredService? {
        let answer = await call(
            "ResolveService",
            [
                .int32(0), .string(name), .string(type), .string("local"), .int32(0),
                .uint64(0),
            ])
        guard let answer = try? answer.get(), answer.count >= 2,
            let first = answer[0].list?.first?.list, first.count >= 5,
            case .whole(let port) = first[2]
        else { return nil }
        let addresses = (first[4].list ?? []).compactMap { $0.list?.last?.bytes }
        let address = addresses.first { $0.count == 4 }?.map(String.init).joined(separator: ".")
        return DiscoveredService(
            name: name, texts: Discovery.texts(answer[1]), address: address ?? first[3].text,
            port: UInt16(clamping: port))
    }

    /// Whether resolved has asked the network, and got no answer.
    private func hasAsked(_ error: GLibError) async -> Bool {
        // A call that takes too long ends without a name.
        guard let name = error.name else { return await isThere }
        return name == "\(Self.service).QueryTimedOut"
            || name.hasPrefix("\(Self.service).DnsError.")
    }

    private var isThere: Bool {
        get async {
            let name = "org.freedesktop.DBus"
            let answer = await bus.call(
                "NameHasOwner", of: name, at: "/org/freedesktop/DBus", name, [.string(Self.service)]
            )
            return (try? answer.get())?.first?.boolean == true
        }
    }

    private func call(
        _ method: String, _ arguments: [BusArgument]
    ) async -> Result<[BusValue], GLibError> {
        await bus.call(
            method, of: "\(Self.service).Manager", at: "/org/freedesktop/resolve1", Self.service,
            arguments, timeout: 5000)
    }
}
