internal import HomingBase
public import HomingControl
internal import HomingLocation
internal import HomingMachine
internal import HomingRoutes

/// The status as people read it.
public struct StatusText {
    let report: StatusReport
    /// Seconds since 1970.
    let now: Double

    /// - Parameter now: seconds since 1970, to which ages are reckoned.
    public init(report: StatusReport, now: Double) {
        self.report = report
        self.now = now
    }

    /// Lines, each with its end.
    public var text: String {
        let only = report.homes.count == 1 ? report.homes.first : nil
        let parts: [String] =
            if let only {
                [
                    daemon, registration(only), network(of: only), data, endpoints(only),
                    position(of: only), queues(only), powerCut(only), push(only), relay(only),
                    rejections(only),
                    text(report.warnings + only.warnings),
                ]
            } else {
                [daemon, network(of: nil), data, position(of: nil), text(report.warnings)]
                    + report.homes.flatMap(block)
            }
        return (parts + [restriction]).filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    /// Returns the lines about one home of several.
    private func block(_ home: StatusReport.Home) -> [String] {
        [
            "\n" + line("Home", home.name), registration(home),
            home.reason.map { line("", $0) } ?? "", endpoints(home),
            home.zone.map { line("Zone", $0) } ?? "",
            knownLocation(home), skipped(home.skipped),
            queues(home), powerCut(home), push(home), relay(home), rejections(home),
            text(home.warnings, of: home.name),
        ]
    }

    /// The label and the text as one line.
    func line(_ label: String, _ text: String) -> String {
        SafeText.line(label + String(repeating: " ", count: max(1, 15 - label.count)) + text)
    }

    private var daemon: String {
        line("Daemon", "homingd \(report.version), up \(TimeSpan.text(report.uptime))")
    }

    private func registration(_ home: StatusReport.Home) -> String {
        guard let registration = home.registration else { return line("Registration", "none") }
        let encryption = registration.encrypted ? "encrypted" : "NOT encrypted"
        let version = registration.homeAssistantVersion.map { ", Home Assistant \($0)" } ?? ""
        return line("Registration", "\(registration.deviceName), \(encryption)\(version)")
    }

    private func network(of only: StatusReport.Home?) -> String {
        let network = report.network
        let metered = network.metered ? ", metered" : ""
        let isKnown = network.connectivity != "unknown" || network.connection == nil
        let reach = Connectivity(rawValue: network.connectivity)?.title ?? network.connectivity
        let words = [network.connection, isKnown ? reach : nil].compactMap { $0 }
        let reason = only?.reason.map { "\n" + line("", $0) } ?? ""
        return line("Network", words.joined(separator: ", ") + metered) + reason
    }

    /// The data used this month, and whether data is saved.
    private var data: String {
        var lines: [String] = []
        if let data = report.data {
            let kinds = DataUse.Kind.allCases.compactMap { kind in
                data.bytes[kind.rawValue].map { "\(kind.title) \(Megabytes.text($0))" }
            }
            let parts = kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
            let budget = data.budget.map { ", budget \(Megabytes.text($0))" } ?? ""
            lines.append(line("Data", "\(Megabytes.text(data.total)) this month\(parts)\(budget)"))
        }
        if let thrift = report.thrift { lines.append(line("Thrift", "on: \(thrift)")) }
        return lines.joined(separator: "\n")
    }

    private func endpoints(_ home: StatusReport.Home) -> String {
        var lines = home.endpoints.sorted { ($0.order ?? 9) < ($1.order ?? 9) }.map(endpoint)
        if let next = home.nextAttempt { lines.append("next try \(TimeSpan.until(next))") }
        return lines.enumerated().map { line($0.offset == 0 ? "Route" : "", $0.element) }
            .joined(separator: "\n")
    }

    private func endpoint(_ endpoint: StatusReport.Endpoint) -> String {
        let name = "\(Self.title(of: endpoint.kind)) (\(endpoint.host ?? "?"))"
        if let excluded = endpoint.excluded { return "–  \(name): not used: \(excluded)" }
        let order = endpoint.order.map { "\($0)." } ?? "– "
        let success = endpoint.lastSuccess.map { "OK \(age($0))" } ?? "not used yet"
        let failure = endpoint.lastFailure.flatMap { time in
            endpoint.problem.map { "; failed \(age(time)): \($0)" }
        }
        let mark = endpoint.current ? "  ← in use" : ""
        return "\(order) \(name): \(success)\(failure ?? "")\(mark)"
    }

    /// The endpoint in people's words, as Home Assistant shows it in the sensor.
    static func title(of endpoint: String) -> String {
        Endpoint.Kind(rawValue: endpoint)?.title ?? endpoint
    }

    private func position(of only: StatusReport.Home?) -> String {
        let position = report.position
        let names = position.receiverNames?.joined(separator: ", ")
        var lines = [line("GPS", explained(position.gpsd, position.gpsdDetail ?? names))]
        if let age = position.age, let mode = position.mode, let accuracy = position.accuracy {
            let zone = only?.zone.map { ", in \($0)" } ?? ""
            let text =
                "\(mode)D, ±\(Int(max(0, min(accuracy, 1e9)).rounded(.up))) m, \(TimeSpan.text(age)) old\(zone)"
            lines.append(line("Last fix", text))
            lines += doubts(position).map { line("", $0) }
        }
        if let place = position.place {
            lines.append(line("", "\(place.latitude), \(place.longitude)"))
        }
        if let lookUp { lines.append(lookUp) }
        if let only { lines.append(knownLocation(only)) }
        let skipped = skipped(report.skipped.merging(only?.skipped ?? [:], uniquingKeysWith: +))
        if !skipped.isEmpty { lines.append(skipped) }
        if let held { lines.append(line("Held", held)) }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func skipped(_ counts: [String: Int]) -> String {
        guard !counts.isEmpty else { return "" }
        let texts = counts.sorted { $0.key < $1.key }.map { reason, count in
            "\(count) \(Self.reasons[reason] ?? reason.replacingEach("_", with: " "))"
        }
        return line("Skipped", texts.joined(separator: ", "))
    }

    /// Reasons for which positions are skipped, where their names do not say enough.
    private static let reasons = [
        "no_fix": "without a fix", "no_place": "without a location", "duplicate": "repeated",
        "no_time": "without a date", "inaccurate": "too inaccurate", "old": "too old",
        "future": "from the future", "held": "too far off", "frozen": "unchanged for a minute",
        "near": "too close to the last report",
        "same_zone": "in the zone of the last report", "untold": "by [location] tell",
        "unregistered": "while not registered",
    ]

    /// Returns the doubts about the last fix that a reader should know.
    private func doubts(_ position: StatusReport.Position) -> [String] {
        let time: String? =
            switch position.timeSource {
            case "arrival": "the receiver sends no time: the time of arrival counts"
            case "time_of_day": "the receiver sends no date: this machine's date counts"
            default: nil
            }
        let frozen = position.frozen.map {
            "frozen: the receiver has repeated one location for \(TimeSpan.text($0))"
        }
        return [time, frozen].compactMap { $0 }
    }

    private var held: String? {
        guard let held = report.held, held.total > 0 else { return nil }
        let outcomes = [
            (held.waiting, "waiting"), (held.believed, "believed"), (held.dropped, "dropped"),
        ]
        return "\(held.total) too far from the last fix to count at once: "
            + outcomes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private func queues(_ home: StatusReport.Home) -> String {
        let shown = home.queues.filter { $0.accepted > 0 || $0.stream == "location" }
        return shown.enumerated().map { index, queue in
            let unconfirmed = queue.unconfirmed ?? 0
            let waiting = max(0, queue.queued - unconfirmed)
            let oldest =
                unconfirmed > 0 || waiting == 0
                ? "" : queue.oldestAge.map { ", the oldest for \(TimeSpan.text($0))" } ?? ""
            let sent = unconfirmed == 0 ? "" : ", \(unconfirmed) sent and not confirmed yet"
            let fates = queue.fates.filter { $0.value > 0 }.sorted { $0.key < $1.key }
                .map { "\($0.value) \(Self.fates[$0.key] ?? $0.key.replacingEach("_", with: " "))" }
            let counters =
                "\(queue.accepted) accepted"
                + (fates.isEmpty ? "" : ": " + fates.joined(separator: ", "))
            return line(
                index == 0 ? "Queue" : "", "\(queue.stream): \(waiting) waiting\(oldest)\(sent)")
                + "\n"
                + line("", counters)
        }.joined(separator: "\n")
    }

    /// Fates whose names do not say enough.
    private static let fates = [
        "delivered_track": "delivered as history", "superseded": "replaced by newer ones",
        "evicted": "dropped by a full queue", "lost_with_database": "lost with a damaged queue",
    ]

    private func powerCut(_ home: StatusReport.Home) -> String {
        guard let cut = home.powerCut else { return "" }
        let time = cut.after.map { "between \(age($0)) and" } ?? "more than"
        let lost = cut.lost > 0 ? "at most \(cut.lost) locations lost" : "no location lost"
        return line("Power cuts", "\(cut.count), the last \(time) \(age(cut.noticed)): \(lost)")
    }

    private func rejections(_ home: StatusReport.Home) -> String {
        home.rejections.map { line("Refusals", "\(age($0.time)): \($0.what): \($0.reason)") }
            .joined(separator: "\n")
    }

    /// - Parameter home: the name of the home that has these warnings, where there are several.
    private func text(_ warnings: [StatusReport.Warning], of home: String? = nil) -> String {
        warnings.map {
            line("Warning", explained($0.text, $0.detail)) + "\n"
                + line("", "→ \($0.hint.namingHome(home))")
        }.joined(separator: "\n")
    }

    private var restriction: String {
        guard report.restricted else { return "" }
        return line(
            "Hidden",
            "location, network, data, route and notifications: run with sudo, or join the group homing"
        )
    }

    private func explained(_ text: String, _ detail: String?) -> String {
        text + (detail.map { ": \($0)" } ?? "")
    }

    func age(_ time: Double) -> String { "\(TimeSpan.text(max(0, now - time))) ago" }
}
