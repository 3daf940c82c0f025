internal import HomingBus
internal import HomingRuntime

/// Looks for `_home-assistant._tcp` on the local network with whatever listens there for this
/// machine: Avahi, or systemd-resolved.
public enum Discovery {
    static let type = "_home-assistant._tcp"

    /// What announces itself; waits for at most `seconds`, and then for the last address.
    public static func find(seconds: Double = 3) -> [DiscoveredInstance] {
        guard let bus = try? BlockingBus(.system) else { return [] }
        let deadline = SystemClock.now().uptime + seconds
        let found = AvahiBrowser(bus: bus).find(until: deadline)
        return found ?? ResolvedBrowser(bus: bus).find() ?? []
    }

    /// A TXT record: an array of byte arrays.
    static func texts(_ value: BusValue) -> [String] {
        (value.list ?? []).map { String(decoding: $0.bytes, as: UTF8.self).streamSafe }
    }
}

/// Avahi's browser (avahi-daemon(8), org.freedesktop.Avahi.Server).
struct AvahiBrowser {
    private static let service = "org.freedesktop.Avahi"
    private static let server = "org.freedesktop.Avahi.Server"
    /// AVAHI_IF_UNSPEC and AVAHI_PROTO_UNSPEC.
    private static let any = BusArgument.int32(-1)

    let bus: BlockingBus

    /// `nil` where there is no Avahi.
    func find(until deadline: Double) -> [DiscoveredInstance]? {
        // Listening comes first: the browser speaks as soon as it is made.
        let signals = SignalQueue(
            bus, sender: Self.service, interface: "org.freedesktop.Avahi.ServiceBrowser")
        let made = try? bus.call(
            Self.service, "/", Self.server, "ServiceBrowserNew",
            [Self.any, Self.any, .string(Discovery.type), .string("local"), .uint32(0)])
        guard let browser = made?.first?.text else { return nil }
        var found: [[BusValue]] = []
        while let signal = signals.next(until: deadline) {
            guard signal.path == browser else { continue }
            if signal.name == "ItemNew", found.count < Bound.busObjects {
                found.append(signal.arguments)
            }
            if signal.name == "AllForNow" || signal.name == "Failure" { break }
        }
        _ = try? bus.call(
            Self.service, browser, "org.freedesktop.Avahi.ServiceBrowser", "Free")
        return found.compactMap(resolve)
    }

    /// ItemNew has interface, protocol, name, type and domain; ResolveService takes them, and
    /// answers (…, host, protocol, address, port, TXT, flags).
    private func resolve(_ item: [BusValue]) -> DiscoveredInstance? {
        guard item.count >= 5, case .whole(let interface) = item[0],
            case .whole(let family) = item[1], let name = item[2].text, let type = item[3].text,
            let domain = item[4].text
        else { return nil }
        let answer = try? bus.call(
            Self.service, "/", Self.server, "ResolveService",
            [
                .int32(Int32(truncatingIfNeeded: interface)),
                .int32(Int32(truncatingIfNeeded: family)), .string(name), .string(type),
                .string(domain), Self.any, .uint32(0),
            ])
        guard let answer, answer.count >= 10, case .whole(let port) = answer[8] else { return nil }
        return DiscoveredInstance(
            service: name, texts: Discovery.texts(answer[9]), address: answer[7].text,
            port: UInt16(clamping: port))
    }
}

/// systemd-resolved, where multicast DNS is switched on (org.freedesktop.resolve1(5)).
struct ResolvedBrowser {
    private static let service = "org.freedesktop.resolve1"
    private static let path = "/org/freedesktop/resolve1"
    private static let manager = "org.freedesktop.resolve1.Manager"

    let bus: BlockingBus

    /// `nil` where there is no resolved, or it does not ask the local network.
    func find() -> [DiscoveredInstance]? {
        let answer = try? bus.call(
            Self.service, Self.path, Self.manager, "ResolveRecord",
            // Class IN, type PTR: the names of the services.
            [.int32(0), .string("\(Discovery.type).local"), .uint16(1), .uint16(12), .uint64(0)],
            seconds: 5)
        guard let records = answer?.first?.list else { return nil }
        return records.prefix(Bound.busObjects).compactMap { record in
            guard let data = record.list?.last else { return nil }
            return PointerRecord(data.bytes).flatMap { resolve($0.instance) }
        }
    }

    /// ResolveService answers (services, TXT, …); a service is (priority, weight, port, host,
    /// addresses, …), an address (interface, family, bytes).
    private func resolve(_ name: String) -> DiscoveredInstance? {
        let answer = try? bus.call(
            Self.service, Self.path, Self.manager, "ResolveService",
            [
                .int32(0), .string(name), .string(Discovery.type), .string("local"), .int32(0),
                .uint64(0),
            ], seconds: 5)
        guard let answer, answer.count >= 2, let first = answer[0].list?.first?.list,
            first.count >= 5, case .whole(let port) = first[2]
        else { return nil }
        let addresses = (first[4].list ?? []).compactMap { $0.list?.last?.bytes }
        let address = addresses.first { $0.count == 4 }?.map(String.init).joined(separator: ".")
        return DiscoveredInstance(
            service: name, texts: Discovery.texts(answer[1]), address: address ?? first[3].text,
            port: UInt16(clamping: port))
    }
}
